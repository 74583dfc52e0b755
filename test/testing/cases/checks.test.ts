import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { checkOf } from "../../../src/testing/cases/checks/all.ts"
import { caseWith, everything, nothing } from "./seen.ts"

const sentences = readFileSync(new URL("../../fixtures/cases/also.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")

// A case that every sentence has something to be wrong about.
const one = caseWith({
  given: {
    rules: { projectSettings: { deny: ["Bash(git push:*)"] } },
    fs: { "/repo/secrets/key.txt": "KEY=1" },
    hooks: [{
      event: "PreToolUse",
      matcher: "bash",
      stub: {
        missing: true,
        stderr: "no",
        stdout: "{\"permissionDecision\": \"maybe\", \"updatedInput\": {\"command\": \"x y\"}}"
      }
    }]
  },
  call: { input: { command: "npm test\u202e\u001b\r && git push\nsecond line" } },
  expect: { decision: "deny" }
})

describe("checkOf", () => {
  it("every sentence has a check", () => {
    assert.isAbove(sentences.length, 100)
    assert.deepStrictEqual(sentences.filter((sentence) => checkOf(sentence) === undefined), [])
  })

  it("an unknown sentence has none", () => {
    assert.isUndefined(checkOf("the moon is full"))
    assert.isUndefined(checkOf("constructor"))
  })

  it.each(sentences)("this can fail: %s", (sentence) => {
    const check = checkOf(sentence)
    assert.isTrue([nothing(one), everything(one)].some((seen) => check?.holds(seen) === false))
  })
})
