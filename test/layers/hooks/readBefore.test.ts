import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { CommandHook } from "../../../src/domain/Hook.ts"
import { outputOf } from "../../../src/layers/hooks/HookOutput.ts"
import { readBefore } from "../../../src/layers/hooks/readBefore.ts"
import { hookOf, says } from "./callWith.ts"

const read = (stdout: unknown, code = 0, onFailure?: CommandHook["onFailure"], stderr = "") =>
  readBefore({
    entry: hookOf({ command: "gate", ...(onFailure === undefined ? {} : { onFailure }) }),
    end: {
      ending: { _tag: "Exited", code },
      stdout: outputOf(typeof stdout === "string" ? stdout : JSON.stringify(stdout)),
      stderr: outputOf(stderr)
    },
    durationMillis: 1
  })

describe("readBefore", () => {
  it("weighs an answer by its words, its code and what failure means", () => {
    const allow = says({ permissionDecision: "allow" })
    const rows: ReadonlyArray<readonly [stdout: unknown, code: number, onFailure: CommandHook["onFailure"], string]> = [
      ["", 0, undefined, "none"],
      ["all is well", 0, undefined, "none"],
      [allow, 0, undefined, "allow"],
      [`\n ${allow}\n`, 0, undefined, "allow"],
      [`\ufeff${allow}`, 0, undefined, "allow"],
      [allow, 1, undefined, "allow"],
      [allow, 2, "continue", "deny"],
      [allow, 127, undefined, "ask"],
      [allow, 137, undefined, "ask"],
      ["", 1, undefined, "none"],
      ["", 1, "block", "deny"],
      ["", 1, "continue", "none"],
      ["", 127, undefined, "ask"],
      ["", 127, "block", "deny"],
      ["", 127, "continue", "none"],
      ["{ broken", 0, undefined, "ask"],
      ["{ broken", 1, undefined, "ask"],
      ["{ broken", 2, undefined, "deny"],
      ["{ broken", 0, "continue", "none"],
      [`loading...\n${allow}`, 0, undefined, "ask"],
      [says({ permissionDecision: "defer" }), 0, undefined, "ask"],
      [says({ permissionDecision: "defer" }), 0, "block", "deny"],
      [says({ permissionDecision: "defer" }), 0, "continue", "none"],
      [says({ permissionDecision: "block" }), 0, undefined, "deny"],
      [says({ permissionDecision: "yes" }), 0, undefined, "ask"],
      [says({ permissionDecision: 1 }), 0, undefined, "ask"],
      [says({ permissionDecision: "allow", updatedInput: "x" }), 0, undefined, "ask"],
      [{ decision: "approve" }, 0, undefined, "allow"],
      [{ decision: "block", reason: "no" }, 0, undefined, "deny"],
      [{ permissionDecision: "allow" }, 0, undefined, "none"],
      [{ permissionDecision: "deny" }, 0, undefined, "deny"],
      [{ hookSpecificOutput: { permissionDecision: "allow" } }, 0, undefined, "ask"],
      [{ hookSpecificOutput: { permissionDecision: "deny" } }, 0, undefined, "deny"],
      [{ hookSpecificOutput: { hookEventName: "PostToolUse", permissionDecision: "allow" } }, 0, undefined, "ask"],
      [{ hookSpecificOutput: "allow" }, 0, undefined, "ask"],
      [{ continue: false }, 0, "continue", "deny"],
      [{ continue: "false" }, 0, undefined, "ask"],
      [{ continue: true }, 0, undefined, "none"],
      [{ continue: null }, 0, undefined, "none"],
      [JSON.stringify(allow), 0, undefined, "ask"],
      [JSON.stringify("all is well"), 0, undefined, "none"],
      [{ ...JSON.parse(allow), continue: false }, 0, undefined, "deny"],
      [{ decision: "approve", ...JSON.parse(says({ permissionDecision: "deny" })) }, 1, "continue", "deny"]
    ]
    for (const [stdout, code, onFailure, decision] of rows) {
      assert.strictEqual(
        read(stdout, code, onFailure).decision,
        decision,
        `${JSON.stringify(stdout)} with ${code}, on failure ${onFailure}`
      )
    }
  })

  it("a reason in the JSON comes before stderr", () => {
    assert.strictEqual(read({ decision: "block", reason: "told" }, 2, undefined, "error").reason, "told")
    assert.strictEqual(read("", 2, undefined, "error").reason, "error")
    assert.isUndefined(read("", 2).reason)
  })

  it("ending the turn keeps its reason for the user", () => {
    const opinion = read({ continue: false, stopReason: "enough for today" })
    assert.strictEqual(opinion.endsTurn, "enough for today")
    assert.deepStrictEqual(opinion.messages, ["enough for today"])
    assert.notInclude(opinion.reason ?? "", "today")
  })

  it("a failure that lets the call go on is noted for the user", () => {
    const opinion = read("", 1, undefined, "no such policy")
    assert.match(opinion.messages.join(), /`gate` failed with exit code 1: no such policy$/)
    assert.strictEqual(opinion.run.decision, "none")
    assert.isDefined(opinion.run.fault)
  })

  it("of a traceback the line is told that names the exception", () => {
    const python =
      "Traceback (most recent call last):\n  File \"gate.py\", line 2, in <module>\n    x()\nKeyError: 'tool'\n"
    const node = "/gate.js:1\nthrow new Error(\"no\")\n^\n\nError: no\n    at gate.js:1:7\n\nNode.js v24.0.0\n"
    assert.match(read("", 1, undefined, python).messages.join(), /exit code 1: KeyError: 'tool'$/)
    assert.match(read("", 1, undefined, node).messages.join(), /exit code 1: Error: no$/)
    assert.match(read("", 1, undefined, "   indented").messages.join(), /exit code 1: indented$/)
  })

  it("a rewrite of a hook that denied or failed is dropped", () => {
    const updatedInput = { command: "x" }
    assert.deepStrictEqual(read(says({ updatedInput })).updatedInput, updatedInput)
    assert.isUndefined(read(says({ permissionDecision: "deny", updatedInput })).updatedInput)
    assert.isUndefined(read(says({ permissionDecision: "defer", updatedInput }), 0, "continue").updatedInput)
    assert.isUndefined(read(says({ updatedInput }), 2).updatedInput)
  })

  it("context is cut at its limit, never through a character", () => {
    const context = read(says({ additionalContext: "😀".repeat(6_000) })).context ?? ""
    assert.isTrue(context.isWellFormed())
    assert.isBelow(context.length, 10_100)
    assert.match(context, /more characters\)$/)
  })

  it.prop(
    "no output and no code makes a permission that was not spelled out",
    { stdout: Schema.String, code: Schema.Int, onFailure: Schema.Literals(["block", "continue"]) },
    ({ code, onFailure, stdout }) => {
      if (/allow|approve/.test(stdout)) return
      assert.notStrictEqual(read(stdout, code, onFailure).decision, "allow")
      assert.notStrictEqual(read(stdout, code).decision, "allow")
    }
  )
})
