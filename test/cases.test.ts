import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { type Line, readCases } from "../src/testing/cases/Case.ts"
import type { Outcome } from "../src/testing/cases/runCase.ts"
import { runCases } from "../src/testing/cases/runCases.ts"

/** Cases that fall short today, and why. One that does no longer has to leave this list. */
const shortfalls: ReadonlyMap<string, string> = new Map()

const read = (name: string): ReadonlyArray<Line> =>
  readCases(readFileSync(new URL(`fixtures/cases/${name}`, import.meta.url), "utf8"))

const lines = [...read("cases.jsonl"), ...read("own.jsonl")]
const ids = lines.map((line) => line._tag === "Case" ? line.case.id : line.id)

describe("cases", () => {
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    for (const outcome of await Effect.runPromise(runCases(lines))) outcomes.set(outcome.id, outcome)
  })

  it("no two cases share an id, and every shortfall is one of them", () => {
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual([...shortfalls.keys()].filter((id) => !ids.includes(id)), [])
  })

  it.each(ids)("%s", (id) => {
    const outcome = outcomes.get(id)
    assert.isDefined(outcome, "it was not run")
    if (shortfalls.has(id)) assert.isNotEmpty(outcome.lacks, "it holds by now: take it out of the shortfalls")
    else assert.deepStrictEqual(outcome.lacks, [], outcome.deciding)
  })
})
