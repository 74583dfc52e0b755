import { assert, describe, it } from "@effect/vitest"
import { nearest } from "../../src/domain/nearest.ts"
import { canonicalName, toolNames } from "../../src/domain/toolNames.ts"

describe("nearest", () => {
  it("finds what was meant, nearest first", () => {
    assert.deepStrictEqual(nearest("Wirte", ["Read", "Write", "Bash"]), ["Write"])
    assert.deepStrictEqual(nearest("bash", ["Bash", "Base"], 1), ["Bash"])
    assert.deepStrictEqual(nearest("Stop Task", toolNames, 1), ["TaskStop"])
    assert.deepStrictEqual(nearest("TaskLst", toolNames, 1), ["TaskList"])
  })

  it("finds nothing where nothing is near", () => {
    assert.deepStrictEqual(nearest("Frobnicate", toolNames), [])
    assert.deepStrictEqual(nearest("", toolNames), [])
    assert.deepStrictEqual(nearest("x".repeat(30_000), toolNames), [])
  })

  it("names of old lead to those of today", () => {
    assert.strictEqual(canonicalName("Task"), "Agent")
    assert.strictEqual(canonicalName("toString"), "toString")
  })
})
