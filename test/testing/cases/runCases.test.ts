import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Outcome } from "../../../src/testing/cases/runCase.ts"
import { report, runCases } from "../../../src/testing/cases/runCases.ts"
import { caseWith } from "./seen.ts"

const outcome = (parts: Partial<Outcome>): Outcome => ({
  id: "one",
  area: "hook",
  severity: "security",
  expected: "deny",
  got: "deny",
  deciding: "row 1, hook: a hook denies it",
  lacks: [],
  timed: false,
  ...parts
})

describe("runCases", () => {
  it.live("outcomes come in the order of the lines, and a line that is no case falls short", () =>
    Effect.gen(function*() {
      const slow = caseWith({
        given: { batch: [{ id: "t1", name: "Bash", input: { command: "ls" } }] },
        expect: { decision: "allow" }
      })
      const outcomes = yield* runCases([
        { _tag: "Case", case: { ...slow, id: "slow" } },
        { _tag: "Problem", line: 2, id: "bad", problem: "is no JSON" },
        { _tag: "Case", case: { ...caseWith({}), id: "quick" } }
      ])
      assert.deepStrictEqual(outcomes.map(({ id, lacks }) => [id, ...lacks]), [["slow"], ["bad", "is no JSON"], [
        "quick"
      ]])
    }))
})

describe("report", () => {
  it("each case that falls short has one line, and totals follow", () => {
    const text = report([
      outcome({}),
      outcome({ id: "two", got: "allow", lacks: ["the decision is allow"] }),
      outcome({ id: "three", area: "settings", severity: "usability" })
    ])
    const lines = text.split("\n")
    assert.strictEqual(
      lines[0],
      "two [hook, security] expected deny, got allow; the decision is allow | row 1, hook: a hook denies it"
    )
    assert.isTrue(lines.some((line) => /^hook +1 +1$/.test(line)))
    assert.isTrue(lines.some((line) => /^usability +1 +0$/.test(line)))
    assert.strictEqual(lines.at(-1), "2 of 3 cases hold")
  })

  it("characters that a terminal acts upon are spelled out", () => {
    const text = report([outcome({ lacks: ["x\u001b[2K\ny"] })])
    assert.include(text, "x<1b>[2K\\ny")
  })
})
