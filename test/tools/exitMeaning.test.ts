import { assert, describe, it } from "@effect/vitest"
import { benignMeaning, codeOfSignal, failureMeaning } from "../../src/tools/exitMeaning.ts"

describe("benignMeaning", () => {
  it("a search that finds nothing did not fail", () => {
    for (
      const command of [
        "grep a b",
        "rg a",
        "egrep a b",
        "git grep a",
        "cat x | grep a",
        "make; grep a b",
        "LC_ALL=C grep a b",
        "cd src && grep a b",
        "grep a b # nothing"
      ]
    ) assert.isDefined(benignMeaning(command, 1, ""), command)
  })

  it("neither did a comparison or a condition", () => {
    assert.strictEqual(benignMeaning("diff a b", 1, "< a"), "the files differ")
    assert.strictEqual(benignMeaning("git diff --exit-code", 1, "x"), "there are differences")
    for (const command of ["[ -e x ]", "[[ -e x ]]", "test -e x"]) {
      assert.strictEqual(benignMeaning(command, 1, ""), "the condition is false")
    }
  })

  it("whatever else may have given the code did", () => {
    for (
      const command of [
        "make",
        "make && grep a b",
        "grep a b && make",
        "grep a b || make",
        "grep a b; make",
        "! grep a b",
        "(grep a b)",
        "git status",
        "grep 'a",
        "grep a b &"
      ]
    ) assert.isUndefined(benignMeaning(command, 1, ""), command)
    assert.isUndefined(benignMeaning("grep a b", 2, ""))
    assert.isUndefined(benignMeaning("cd none && grep a b", 1, "bash: cd: none: No such file or directory"))
  })
})

describe("failureMeaning", () => {
  it("codes that a shell gives a meaning say it", () => {
    assert.strictEqual(failureMeaning(3), "")
    assert.include(failureMeaning(127), "not found")
    assert.include(failureMeaning(137), "SIGKILL")
    assert.strictEqual(codeOfSignal("SIGTERM"), 143)
  })
})
