import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import { nothingAfter } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { ToolFailed } from "../../src/errors/ExecuteError.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { HookRunner } from "../../src/services/HookRunner.ts"
import { postHook } from "../../src/stages/postHook.ts"
import { result } from "../../src/stages/result.ts"
import { settled } from "../support/calls.ts"
import { given } from "../support/given.ts"
import { hooks, resultStore } from "../support/services.ts"

const tool = Tool.make({
  name: "Probe",
  description: "a tool",
  input: Schema.Struct({}),
  maxResultSizeChars: 100,
  handler: () => Effect.succeed("")
})

const succeeded = Effect.map(
  settled(tool, { _tag: "Success", output: { value: { ok: true }, content: "fine" } }),
  (call) => ({ ...call, content: "fine", storedAt: undefined })
)

const failed = Effect.map(
  settled(tool, { _tag: "Failure", error: new ToolFailed({ reason: "no such file", exitCode: 1 }) }),
  (call) => ({ ...call, content: "no such file", storedAt: undefined })
)

const around = (runner: Layer.Layer<HookRunner>) =>
  Effect.provide([runner, resultStore(), RuleSourcesLayers.layerMemory()])

describe("postHook", () => {
  it.effect("after a success hooks get the structured value and how long it took", () =>
    Effect.gen(function*() {
      const told: Array<unknown> = []
      const runner = Layer.mock(HookRunner, {
        postToolUse: ({ tool }, response, millis) =>
          Effect.as(Effect.sync(() => told.push([tool, response, millis])), nothingAfter)
      })
      yield* Effect.flatMap(succeeded, given(postHook)).pipe(around(runner))
      assert.deepStrictEqual(told, [["Probe", { ok: true }, 5]])
    }))

  it.effect("after a failure other hooks get the error", () =>
    Effect.gen(function*() {
      const told: Array<string> = []
      const runner = Layer.mock(HookRunner, {
        postToolUseFailure: (_, error) => Effect.as(Effect.sync(() => told.push(error)), nothingAfter)
      })
      yield* Effect.flatMap(failed, given(postHook)).pipe(around(runner))
      assert.deepStrictEqual(told, ["Exit code 1\nno such file"])
    }))

  it.effect("a value that a hook puts in its place is rendered by the same rules of size", () =>
    Effect.gen(function*() {
      const runner = hooks({
        postToolUse: () => Effect.succeed({ ...nothingAfter, replacement: { value: "r".repeat(500) } })
      })
      const observed = yield* Effect.flatMap(succeeded, given(postHook)).pipe(around(runner))
      assert.strictEqual(observed.storedAt, "/state/results/toolu_1")
      assert.include(String(observed.content), "500 bytes")
    }))

  it.effect("a failure can't be turned into a success", () =>
    Effect.gen(function*() {
      const runner = hooks({
        postToolUseFailure: () => Effect.succeed({ ...nothingAfter, replacement: { value: "all is well" } })
      })
      const observed = yield* Effect.flatMap(failed, given(postHook)).pipe(around(runner))
      assert.strictEqual(observed.settled._tag, "Failure")
      assert.strictEqual(observed.content, "no such file")
    }))

  it.effect("blocks that a hook puts in place of a server's stay blocks", () =>
    Effect.gen(function*() {
      const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } } as const
      const blocks = [{ type: "text", text: "seen" }, image] as const
      for (const value of [blocks, { content: blocks, isError: false }]) {
        const runner = hooks({ postToolUse: () => Effect.succeed({ ...nothingAfter, replacement: { value } }) })
        const observed = yield* Effect.flatMap(succeeded, given(postHook)).pipe(around(runner))
        assert.deepStrictEqual(observed.content, blocks)
      }
    }))

  it.effect("what JSON has no word for does no harm", () =>
    Effect.gen(function*() {
      const circle: { self?: unknown } = {}
      circle.self = circle
      const contents = yield* Effect.forEach([undefined, 10n, { big: 10n }, circle], (value) =>
        Effect.map(
          Effect.flatMap(succeeded, given(postHook)).pipe(
            around(hooks({ postToolUse: () => Effect.succeed({ ...nothingAfter, replacement: { value } }) }))
          ),
          ({ content }) => content
        ))
      assert.deepStrictEqual(contents, ["", "\"10\"", "{\"big\":\"10\"}", ""])
    }))

  it.effect("a fault of ours while hooks run costs no result, and is told to the person", () =>
    Effect.gen(function*() {
      const observed = yield* Effect.flatMap(succeeded, given(postHook)).pipe(
        around(hooks({ postToolUse: () => Effect.die(new TypeError("bug")) }))
      )
      assert.strictEqual(observed.content, "fine")
      assert.deepStrictEqual(observed.after.messages, [
        "the hooks after this tool could not be run, for a fault of ours"
      ])
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

  it.effect("of a failure that is in the store, hooks hear what the model hears", () =>
    Effect.gen(function*() {
      const told: Array<string> = []
      const runner = hooks({
        postToolUseFailure: (_, error) => Effect.as(Effect.sync(() => told.push(error)), nothingAfter)
      })
      const long = settled(tool, {
        _tag: "Failure",
        error: new ToolFailed({ reason: "no", exitCode: 1, output: "o".repeat(100_000) })
      })
      const observed = yield* Effect.flatMap(Effect.flatMap(long, result), given(postHook)).pipe(around(runner))
      assert.isBelow(told[0]?.length ?? Infinity, 300)
      assert.include(told[0], "/state/results/toolu_1")
      assert.isBelow(JSON.stringify(observed.settled).length, 1_000)
    }))
})
