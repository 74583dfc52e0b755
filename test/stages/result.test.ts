import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SettledCall } from "../../src/domain/Call.ts"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { type Content, textOf } from "../../src/domain/ToolResult.ts"
import { type ExecuteError, ToolFailed } from "../../src/errors/ExecuteError.ts"
import { ResultStoreFailed } from "../../src/errors/ResultError.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { result } from "../../src/stages/result.ts"
import { settled } from "../support/calls.ts"
import { context, resultStore } from "../support/services.ts"

const limit = 1_000

const tool = Tool.make({
  name: "Probe",
  description: "a tool",
  input: Schema.Struct({}),
  maxResultSizeChars: limit,
  handler: () => Effect.succeed("")
})

const success = (content: Content | Tool.Stored) =>
  settled(tool, { _tag: "Success", output: { value: content, content } })

const full = Layer.succeed(ResultStore, {
  keep: () => Effect.fail(new ResultStoreFailed({ reason: "no space left on device" })),
  open: () => Effect.fail(new ResultStoreFailed({ reason: "no space left on device" }))
})

describe("result", () => {
  it.effect("a result at the limit is handed over whole and kept nowhere", () =>
    Effect.gen(function*() {
      const text = "x".repeat(limit)
      const rendered = yield* Effect.flatMap(success(text), result)
      assert.strictEqual(rendered.content, text)
      assert.isUndefined(rendered.storedAt)
    }).pipe(Effect.provide(Layer.mock(ResultStore, {}))))

  it.effect("a longer one is kept whole before the model gets a beginning, the size and the path", () => {
    const kept = new Map<string, string>()
    return Effect.gen(function*() {
      const text = "line of text\n".repeat(200)
      const rendered = yield* Effect.flatMap(success(text), result)
      const shown = textOf(rendered.content)
      assert.strictEqual(kept.get("/state/results/toolu_1"), text)
      assert.strictEqual(rendered.storedAt, "/state/results/toolu_1")
      assert.isAtMost(shown.length, limit)
      assert.include(shown, "2600 bytes")
      assert.include(shown, "/state/results/toolu_1")
      assert.isTrue(shown.startsWith("line of text\nline of text\n"))
      assert.include(shown, "this is its beginning;")
    }).pipe(Effect.provide(resultStore(kept)))
  })

  it.effect("settings may say otherwise than the tool, to both sides", () =>
    Effect.gen(function*() {
      const policy = (chars: number) =>
        Effect.map(Effect.flatMap(RuleSources, (sources) => sources.policy(context)), (read) => ({
          ...read,
          maxResultSizeChars: { Probe: chars }
        })).pipe(Effect.provide(RuleSourcesLayers.layerMemory()))
      const long = yield* success("x".repeat(2 * limit))
      const whole = yield* result({ ...long, policy: yield* policy(2 * limit) })
      assert.isUndefined(whole.storedAt)
      const short = yield* success("x".repeat(limit))
      const cut = yield* result({ ...short, policy: yield* policy(limit - 1) })
      assert.isDefined(cut.storedAt)
      assert.isBelow(textOf(cut.content).length, limit)
    }).pipe(Effect.provide(resultStore())))

  it.effect("when it can't be kept, the model gets as much as fits and is told", () =>
    Effect.gen(function*() {
      const rendered = yield* Effect.flatMap(success("y".repeat(limit * 3)), result)
      const shown = textOf(rendered.content)
      assert.isAtMost(shown.length, limit)
      assert.isAtLeast(shown.length, limit / 2)
      assert.include(shown, "no space left on device")
      assert.isUndefined(rendered.storedAt)
    }).pipe(Effect.provide(full)))

  it.effect.prop(
    "no cut leaves half a character or exceeds the limit",
    [Schema.Array(Schema.Literals(["a", "😀", "\n", "é", "\u200d👩"]))],
    ([pieces]) =>
      Effect.gen(function*() {
        const text = pieces.join("").repeat(1 + Math.ceil(2_000 / Math.max(1, pieces.join("").length)))
        const rendered = yield* Effect.flatMap(success(text), result)
        const shown = textOf(rendered.content)
        assert.isTrue(shown.isWellFormed())
        assert.isTrue(text.length <= limit || shown.length <= limit)
      }).pipe(Effect.provide(resultStore()))
  )

  it.effect("a failure is shortened by the same rules", () =>
    Effect.gen(function*() {
      const call = yield* settled(tool, {
        _tag: "Failure",
        error: new ToolFailed({ reason: "", exitCode: 2, output: "z".repeat(limit * 2) })
      })
      const rendered = yield* result(call)
      assert.isTrue(textOf(rendered.content).startsWith("Exit code 2\nzz"))
      assert.strictEqual(rendered.storedAt, "/state/results/toolu_1")
    }).pipe(Effect.provide(resultStore())))

  it.effect("a result that its tool already keeps is not read back", () =>
    Effect.gen(function*() {
      const rendered = yield* Effect.flatMap(
        success({ _tag: "Stored", path: "/state/results/big", size: 5_000_000, head: "first\n", tail: "last\n" }),
        result
      )
      const shown = textOf(rendered.content)
      assert.include(shown, "first")
      assert.include(shown, "last")
      assert.include(shown, "5000000 bytes; these are its beginning and its end; the whole is in")
      assert.strictEqual(rendered.storedAt, "/state/results/big")
    }).pipe(Effect.provide(Layer.mock(ResultStore, {}))))

  it.effect("whoever watches is told which file holds the whole, and nothing where none does", () =>
    Effect.gen(function*() {
      const seen: Array<CallEvent> = []
      const watched = Effect.fnUntraced(function*(call: Effect.Effect<SettledCall<ExecuteError>>) {
        return yield* Effect.flatMap(call, result)
      }, Effect.provideService(CallEvents, (event) => Effect.sync(() => seen.push(event))))
      const failed = (error: ExecuteError) => settled(tool, { _tag: "Failure", error })

      yield* watched(success("short"))
      yield* watched(failed(new ToolFailed({ reason: "no" })))
      assert.deepStrictEqual(seen, [])

      yield* watched(success("x".repeat(limit + 1)))
      yield* watched(success({ _tag: "Stored", path: "/state/results/big", size: 5_000_000, head: "", tail: "" }))
      yield* watched(failed(new ToolFailed({ reason: "", output: "z".repeat(2_000) })))
      yield* watched(failed(new ToolFailed({ reason: "", output: "head", storedAt: "/state/results/kept" })))
      assert.deepStrictEqual(
        seen.map((event) => event._tag === "Stored" ? [event.id, event.path, event.size] : event._tag),
        [
          ["toolu_1", "/state/results/toolu_1", limit + 1],
          ["toolu_1", "/state/results/big", 5_000_000],
          ["toolu_1", "/state/results/toolu_1", 2_001],
          ["toolu_1", "/state/results/kept", undefined]
        ]
      )
    }).pipe(Effect.provide(resultStore())))

  it.effect("images stay beside a text that is shortened", () =>
    Effect.gen(function*() {
      const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } } as const
      const rendered = yield* Effect.flatMap(success([{ type: "text", text: "t".repeat(limit + 1) }, image]), result)
      assert.deepStrictEqual(Array.isArray(rendered.content) ? rendered.content[1] : undefined, image)
    }).pipe(Effect.provide(resultStore())))
})
