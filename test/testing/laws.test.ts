import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engineLaws, type Law, laws, ours } from "toolgate/testing"
import { engineMutants, mutants } from "./mutants.ts"

// The same situations every time; `LAWS_SEED=… vitest run …` draws others.
const seed = process.env["LAWS_SEED"] ?? "laws"

const runs = 1000

const held = (result: Law.LawResult): void => {
  if (result._tag === "Held") {
    assert.isAtLeast(result.applied, runs / 10, "the law had something to say too seldom")
    return
  }
  assert.fail(
    result._tag === "Unchecked"
      ? `${result.why} (seed ${result.seed})`
      : `${result.why}\n${result.counterexample}\nseed ${result.seed}, replay ${result.replay}`
  )
}

describe("our decision keeps every law", () => {
  for (const law of laws) {
    it.effect(law.name, () => Effect.map(law.check(ours.decide, { runs, seed }), held), 60_000)
  }
  for (const law of engineLaws) {
    it.effect(law.name, () => Effect.map(law.check(ours, { runs, seed }), held), 60_000)
  }
})

/** A law that is broken tells where, and tells the same again. */
const finds = Effect.fnUntraced(function*<Subject>(law: Law.Law<Subject>, mutant: Subject | undefined) {
  if (mutant === undefined) return assert.fail("no faulty function tries this law")
  const result = yield* law.check(mutant, { runs, seed })
  if (result._tag !== "Broken") return assert.fail(`the fault was not found: ${result._tag}`)
  assert.notInclude(result.counterexample, "\n")

  const replayed = yield* law.check(mutant, { replay: result.replay })
  assert.strictEqual(replayed._tag === "Broken" ? replayed.counterexample : replayed._tag, result.counterexample)
  const again = yield* law.recheck(mutant, result.counterexample)
  assert.strictEqual(again._tag === "Broken" ? again.why : again._tag, result.why)
})

describe("a faulty decision breaks", () => {
  for (const law of laws) {
    it.effect(law.name, () => finds(law, mutants[law.name]), 60_000)
  }
  for (const law of engineLaws) {
    it.effect(law.name, () => finds(law, engineMutants[law.name]), 60_000)
  }
})

describe("laws", () => {
  it("have names and statements of their own", () => {
    const all = [...laws, ...engineLaws]
    assert.isAtLeast(all.length, 20)
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
    assert.strictEqual(new Set(all.map(({ statement }) => statement)).size, all.length)
  })
})
