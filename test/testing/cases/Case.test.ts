import { assert, describe, it } from "@effect/vitest"
import { readCases } from "../../../src/testing/cases/Case.ts"

const line = (given: object, more: object = {}) =>
  JSON.stringify({
    id: "one",
    area: "hook",
    title: "A title",
    severity: "security",
    given: { rules: {}, cwd: "/repo", ...given },
    call: { name: "Bash", input: { command: "ls" } },
    expect: { decision: "allow" },
    ...more
  })

describe("readCases", () => {
  it("empty lines are no cases", () => {
    assert.strictEqual(readCases(`\n${line({})}\n\n${line({})}\n`).length, 2)
  })

  it("a field that is not known makes its line a problem", () => {
    const [read] = readCases(line({ weather: "rain" }))
    assert.isTrue(read?._tag === "Problem" && read.id === "one" && read.problem.includes("weather"))
  })

  it("what is for people alone may be anything", () => {
    assert.strictEqual(readCases(line({}, { source: ["x"], confidence: 1, remark: "" }))[0]?._tag, "Case")
  })

  it("a line that is no JSON is a problem with its number", () => {
    const [, read] = readCases(`${line({})}\n{"id": "half`)
    assert.isTrue(read?._tag === "Problem" && read.line === 2 && read.id === "line 2")
  })

  it("a rule that is no text is kept for the settings to judge", () => {
    const [read] = readCases(line({ rules: { userSettings: { deny: [42] } } }))
    assert.isTrue(read?._tag === "Case" && read.case.given.rules?.["userSettings"]?.deny?.[0] === 42)
  })
})
