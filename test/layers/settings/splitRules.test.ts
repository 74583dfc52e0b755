import { assert, describe, it } from "@effect/vitest"
import { looksIncomplete, splitRules } from "../../../src/layers/settings/splitRules.ts"

describe("splitRules", () => {
  it("several values are several rules", () => {
    assert.deepStrictEqual(splitRules(["Bash(git log *)", "Read"]), ["Bash(git log *)", "Read"])
  })

  it("one value is split on commas and spaces", () => {
    assert.deepStrictEqual(splitRules(["Bash Read, Edit,,Write"]), ["Bash", "Read", "Edit", "Write"])
  })

  it("nothing is split in parentheses", () => {
    assert.deepStrictEqual(splitRules(["Edit,Bash(git commit *) Agent(x, y)"]), [
      "Edit",
      "Bash(git commit *)",
      "Agent(x, y)"
    ])
    assert.deepStrictEqual(splitRules(["Bash(f (a, b) c),Read"]), ["Bash(f (a, b) c)", "Read"])
  })

  it("an escaped or quoted parenthesis opens and closes nothing", () => {
    assert.deepStrictEqual(splitRules(["Bash(echo \\) x) Read"]), ["Bash(echo \\) x)", "Read"])
    assert.deepStrictEqual(splitRules(["Bash(echo \"a) b\" *),Read"]), ["Bash(echo \"a) b\" *)", "Read"])
  })

  it("an apostrophe in a word is no quote", () => {
    assert.deepStrictEqual(splitRules(["Bash(echo don't *),Bash(echo can't *)"]), [
      "Bash(echo don't *)",
      "Bash(echo can't *)"
    ])
  })

  it("quotes around a rule are taken off", () => {
    assert.deepStrictEqual(splitRules(["\"Bash(git log *)\" 'Read'"]), ["Bash(git log *)", "Read"])
  })

  it("nothing gives nothing", () => {
    assert.deepStrictEqual(splitRules(["", " , "]), [])
  })

  it("a rule that a shell took apart looks incomplete", () => {
    assert.isTrue(looksIncomplete("Bash(git"))
    assert.isTrue(looksIncomplete("*)"))
    assert.isFalse(looksIncomplete("Bash(git log *)"))
    assert.isFalse(looksIncomplete("Bash(echo \\( *)"))
  })
})
