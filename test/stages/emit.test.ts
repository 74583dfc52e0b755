import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ObservedCall } from "../../src/domain/Call.ts"
import type { Decider } from "../../src/domain/Decision.ts"
import { nothingAfter, silent } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import { type CallError, CallStopped, InternalError } from "../../src/errors/CallError.ts"
import type { CallState } from "../../src/errors/CallState.ts"
import {
  type ExecuteError,
  McpAuthRequired,
  McpCallFailed,
  ToolFailed,
  ToolTimedOut
} from "../../src/errors/ExecuteError.ts"
import { ToolNotFound } from "../../src/errors/LookupError.ts"
import { PermissionDenied } from "../../src/errors/PermissionError.ts"
import { InputInvalid, InputRefused } from "../../src/errors/ValidateError.ts"
import { emit } from "../../src/stages/emit.ts"
import { failureText } from "../../src/stages/failureText.ts"
import { permit, settled } from "../support/calls.ts"
import { context, use } from "../support/services.ts"

const asked = { use: use("Probe"), context }
const call: CallState = { ...asked, notes: [], tool: "Probe" }

const failed = (error: CallError) => emit(asked, { _tag: "Failed", error })
const text = (error: CallError) => textOf(failed(error).result.content)

const denied = (
  by: Decider,
  more: { readonly reason?: string; readonly guidance?: string; readonly call?: CallState } = {}
) => new PermissionDenied({ call, by, detail: "secret detail", ...more })

const tool = Tool.make({ name: "Probe", description: "a tool", input: Schema.Struct({}), handler: () => Effect.void })

const observed = (changes: Partial<ObservedCall<ExecuteError>> = {}): Effect.Effect<ObservedCall<ExecuteError>> =>
  Effect.map(settled(tool, { _tag: "Success", output: { value: "v", content: "v" } }), (one) => ({
    ...one,
    content: "v",
    storedAt: undefined,
    after: nothingAfter,
    ...changes
  }))

describe("emit", () => {
  it("an unknown tool names what was asked for and the nearest names", () => {
    const error = new ToolNotFound({ call, nearest: ["Probed"] })
    assert.strictEqual(
      text(error),
      "<tool_use_error>no tool is named `Probe`, the nearest are `Probed`</tool_use_error>"
    )
    assert.isTrue(failed(error).result.is_error)
    assert.strictEqual(failed(error).outcome, "wrong")
  })

  it("an invalid input names every issue and the schema that explains it", () => {
    const error = new InputInvalid({
      call,
      issues: [{ path: "limit", expected: "number", received: "the text \"x\"" }, {
        path: "path",
        expected: "a value",
        received: "nothing"
      }],
      schema: { properties: { limit: { type: "number" } } }
    })
    assert.include(text(error), "`limit`: expected number, received the text \"x\"")
    assert.include(text(error), "`path`: expected a value, received nothing")
    assert.include(text(error), "{\"properties\":{\"limit\":{\"type\":\"number\"}}}")
  })

  it("a refused input keeps the tool's message and code", () => {
    assert.strictEqual(
      text(new InputRefused({ call, reason: "the file was not read", code: 6 })),
      "<tool_use_error>the file was not read (code 6)</tool_use_error>"
    )
  })

  it("a denial says which kind of decider it was and never what the policy says", () => {
    const deciders: ReadonlyArray<Decider> = [
      "hook",
      "rule",
      "tool",
      "safety",
      "validation",
      "mode",
      "reading",
      "settings",
      "classifier",
      "person",
      "nobody",
      "default"
    ]
    const texts = deciders.map((by) => text(denied(by)))
    assert.strictEqual(new Set(texts).size, deciders.length)
    for (const one of texts) assert.notInclude(one, "secret detail")
    assert.strictEqual(failed(denied("rule")).outcome, "denied")
  })

  it("a rule is named, unless it is the policy's", () => {
    const by = (source: "userSettings" | "policySettings") =>
      text(denied("rule", {
        call: {
          ...call,
          decision: { ...permit, rule: { behavior: "deny", text: "Bash(secret *)", origin: { source } } }
        }
      }))
    assert.include(by("userSettings"), "Bash(secret *)")
    assert.notInclude(by("policySettings"), "Bash(secret *)")
  })

  it("a person's reason and the guidance after repeated denials are told", () => {
    assert.include(text(denied("person", { reason: "wait" })), "Their reason: wait")
    assert.notInclude(text(denied("person")), "reason")
    assert.isTrue(text(denied("rule", { guidance: "stop asking for it" })).endsWith("stop asking for it"))
  })

  it("cancelled and interrupted have a message of their own each", () => {
    const one = text(new CallStopped({ call, how: "cancelled" }))
    const other = text(new CallStopped({ call, how: "interrupted" }))
    assert.notStrictEqual(one, other)
    assert.strictEqual(failed(new CallStopped({ call, how: "cancelled" })).outcome, "stopped")
  })

  it("a fault of ours says so, with an id and nothing of the cause", () => {
    const error = new InternalError({ call, id: "toolu_1", cause: new Error("secret stack") })
    assert.include(text(error), "toolu_1")
    assert.notInclude(text(error), "secret")
    assert.strictEqual(failed(error).outcome, "internal")
  })

  it("a failed tool shows its exit code first, then its output, then what went wrong", () => {
    assert.strictEqual(
      failureText(new ToolFailed({ reason: "killed by SIGKILL", exitCode: 137, output: "half" })),
      "Exit code 137\nhalf\nkilled by SIGKILL"
    )
    assert.strictEqual(failureText(new ToolFailed({ reason: "no such file" })), "no such file")
    assert.strictEqual(
      failureText(new ToolFailed({ reason: "", exitCode: 1, output: "some", storedAt: "/state/x" })),
      "Exit code 1\nsome\nthe full output is in /state/x"
    )
  })

  it("a tool at its limit shows its output so far and the limit", () => {
    assert.strictEqual(
      failureText(new ToolTimedOut({ limitMillis: 500, output: "so far" })),
      "so far\nstopped at its time limit of 500 ms"
    )
  })

  it("an MCP failure names the server, and one that wants a sign-in says how", () => {
    assert.include(failureText(new McpCallFailed({ server: "notes", reason: "gone" })), "`notes`")
    assert.include(
      failureText(new McpAuthRequired({ server: "notes", how: "run toolgate mcp login notes" })),
      "toolgate mcp login notes"
    )
  })

  it.effect("a success carries its content, the id of the call and no error mark", () =>
    Effect.gen(function*() {
      const { outcome, result } = emit(asked, { _tag: "Observed", call: yield* observed() })
      assert.deepStrictEqual(result, { type: "tool_result", tool_use_id: "toolu_1", content: "v" })
      assert.strictEqual(outcome, "done")
    }))

  it.effect("notes for the model stand after the result, those for a person do not", () =>
    Effect.gen(function*() {
      const one = yield* observed({
        notes: [{ audience: "model", text: "use Agent" }, { audience: "person", text: "for you alone" }],
        hook: { ...silent, context: ["before"] },
        after: { ...nothingAfter, context: ["behind"] }
      })
      const { notes, result } = emit(asked, { _tag: "Observed", call: one })
      assert.strictEqual(textOf(result.content), "v\n\n[note: use Agent]\n[note: before]\n[note: behind]")
      assert.strictEqual(notes.length, 4)
    }))

  it.effect("half a character from a tool is mended", () =>
    Effect.gen(function*() {
      const { result } = emit(asked, { _tag: "Observed", call: yield* observed({ content: "a\ud83d" }) })
      assert.isTrue(textOf(result.content).isWellFormed())
    }))
})
