import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { CallEvent } from "../src/domain/CallEvent.ts"
import { nothingAfter, silent } from "../src/domain/Hook.ts"
import * as Tool from "../src/domain/Tool.ts"
import { textOf } from "../src/domain/ToolResult.ts"
import type { ToolUse } from "../src/domain/ToolUse.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as ToolRegistryLayers from "../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { Approver } from "../src/services/Approver.ts"
import { CallEvents } from "../src/services/CallEvents.ts"
import type { HookRunner } from "../src/services/HookRunner.ts"
import { context, hooks, services, use } from "./support/services.ts"

const pipeline = (parts: Parameters<typeof services>[0]): Layer.Layer<Pipeline> =>
  layer(context).pipe(Layer.provide(services(parts)))

const probe = (options: {
  readonly handler: (input: { readonly n?: number }, context: Tool.ToolContext) => Effect.Effect<unknown, unknown>
  readonly safe?: boolean
}) =>
  Tool.make({
    name: "Probe",
    description: "a tool",
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => options.safe ?? false,
    maxResultSizeChars: 500,
    handler: options.handler
  })

const allowing = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })

describe("Pipeline.run", () => {
  it.effect("goes through the eight stages in order", () =>
    Effect.gen(function*() {
      const events = yield* Effect.flatMap(Pipeline, (one) => Stream.runCollect(one.stream(use("Probe"))))
      assert.deepStrictEqual(
        events.flatMap((event) => event._tag === "StageStarted" ? [event.stage] : []),
        ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"]
      )
      assert.deepStrictEqual(events[0], { _tag: "Received", id: "toolu_1", use: use("Probe") })
      assert.strictEqual(events.at(-1)?._tag, "Finished")
    }).pipe(Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.succeed("ok") })], rules: allowing }))))

  it.effect.prop(
    "whatever comes in the place of a call is answered, and decided, by one that says what is wrong",
    {
      block: Schema.Union([
        Schema.Json,
        Schema.Struct({
          type: Schema.optionalKey(Schema.Literals(["tool_use", "text"])),
          id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
          name: Schema.optionalKey(Schema.Union([Schema.Literals(["Probe", "Other", ""]), Schema.Int])),
          input: Schema.optionalKey(Schema.Union([Schema.Struct({ n: Schema.Int }), Schema.Json]))
        })
      ])
    },
    ({ block }) =>
      Effect.gen(function*() {
        const one = yield* Pipeline
        // What a model sends was not made by a compiler.
        const given = block as ToolUse
        const result = yield* one.run(given)
        assert.deepStrictEqual([result.type, typeof result.tool_use_id], ["tool_result", "string"])
        if (result.is_error === true) assert.isNotEmpty(textOf(result.content))
        const last = Option.getOrUndefined(yield* Stream.runLast(one.stream(given)))
        assert.strictEqual(last?._tag, "Finished")
        yield* Effect.ignore(one.check(given))
      }).pipe(Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.succeed("ok") })], rules: allowing })))
  )

  it.effect("a call may belong to another session and directory than the Layer's own", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const result = yield* one.run(use("Probe"), { session: "other", cwd: "/elsewhere", directories: [] })
      assert.strictEqual(textOf(result.content), "other /elsewhere")
    }).pipe(Effect.provide(pipeline({
      tools: [probe({ handler: (_, { call }) => Effect.succeed(`${call.session} ${call.cwd}`) })],
      rules: allowing
    }))))
})

describe("Pipeline.stream", () => {
  it.effect("waits for whoever watches", () =>
    Effect.gen(function*() {
      const sent = yield* Ref.make(0)
      const tool = probe({
        handler: (_, { progress }) =>
          Effect.forEach(
            Array.from({ length: 1_000 }, (_, at) => at),
            (at) => Effect.andThen(progress({ channel: "stdout", text: String(at) }), Ref.set(sent, at)),
            { discard: true }
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const first = yield* Stream.runHead(Stream.filter(one.stream(use("Probe")), (event) => event._tag === "Progress"))
      assert.isTrue(Option.isSome(first))
      assert.isBelow(yield* Ref.get(sent), 100)
    }))

  it.effect("tells that a hook ended the turn, before and after a tool, ahead of the result", () =>
    Effect.gen(function*() {
      const told = (parts: Partial<HookRunner["Service"]>) =>
        Effect.flatMap(Pipeline, (one) => Stream.runCollect(one.stream(use("Probe")))).pipe(
          Effect.provide(pipeline({
            tools: [probe({ handler: () => Effect.succeed("ok") })],
            rules: allowing,
            hooks: hooks(parts)
          })),
          Effect.map((events) => events.slice(-2))
        )
      const ended: CallEvent = { _tag: "TurnEnded", id: "toolu_1", reason: "enough" }

      const before = yield* told({
        preToolUse: () => Effect.succeed({ ...silent, decision: "deny", reason: "no", endsTurn: "enough" })
      })
      assert.deepStrictEqual(before[0], ended)
      assert.strictEqual(before[1]?._tag === "Finished" ? before[1].outcome : undefined, "denied")

      const after = yield* told({ postToolUse: () => Effect.succeed({ ...nothingAfter, endsTurn: "enough" }) })
      assert.deepStrictEqual(after[0], ended)
      assert.strictEqual(after[1]?._tag === "Finished" ? after[1].outcome : undefined, "done")

      assert.strictEqual((yield* told({}))[0]?._tag, "StageEnded")
    }))

  it.effect("a cancelled call is answered and its tool is ended", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const tool = probe({
        handler: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const cancel = Effect.as(Deferred.await(started), "interrupted" as const)
      const events = yield* Stream.runCollect(one.stream(use("Probe"), { cancel }))
      const last = events.at(-1)
      assert.strictEqual(last?._tag === "Finished" ? last.outcome : undefined, "stopped")
      assert.isTrue(yield* Deferred.isDone(ended))
    }))
})

describe("Pipeline.runAll", () => {
  const batch = (ids: ReadonlyArray<string>) => ids.map((id, n) => use("Probe", { n }, id))

  it.effect("results come in the order of the calls, one for each, whatever some of them do", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const results = yield* one.runAll([
        use("Probe", {}, "t1"),
        use("Probe", { n: "x" }, "t2"),
        use("Nope", {}, "t3"),
        use("Probe", {}, "t4")
      ])
      assert.deepStrictEqual(results.map(({ tool_use_id }) => tool_use_id), ["t1", "t2", "t3", "t4"])
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [false, true, true, false])
    }).pipe(Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.succeed("ok") })], rules: allowing }))))

  it.effect("two calls with one id are refused before anything runs", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const refused = yield* Effect.flip(one.runAll(batch(["t1", "t2", "t1"])))
      assert.strictEqual(refused.id, "t1")
    }).pipe(
      Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.die("must not run") })], rules: allowing }))
    ))

  it.effect("calls that may overlap do, others run alone", () =>
    Effect.gen(function*() {
      const most = (safe: boolean) =>
        Effect.gen(function*() {
          const running = yield* Ref.make(0)
          const highest = yield* Ref.make(0)
          const tool = probe({
            safe,
            handler: () =>
              Effect.gen(function*() {
                const now = yield* Ref.updateAndGet(running, (count) => count + 1)
                yield* Ref.update(highest, (before) => Math.max(before, now))
                yield* Effect.yieldNow
                yield* Effect.yieldNow
                yield* Ref.update(running, (count) => count - 1)
              })
          })
          const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
          yield* one.runAll(batch(Array.from({ length: 30 }, (_, at) => `t${at}`)))
          return yield* Ref.get(highest)
        })
      assert.strictEqual(yield* most(false), 1)
      assert.strictEqual(yield* most(true), 10)
    }))

  it.effect("a cancelled batch answers every call, the finished with theirs", () =>
    Effect.gen(function*() {
      const began: Array<number | undefined> = []
      const second = yield* Deferred.make<void>()
      const tool = probe({
        handler: ({ n }) =>
          Effect.suspend(() => {
            began.push(n)
            return n === 0 ? Effect.succeed("done") : Effect.andThen(Deferred.succeed(second, undefined), Effect.never)
          })
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const events: Array<string> = []
      const results = yield* one.runAll(batch(["t1", "t2", "t3"]), {
        cancel: Effect.as(Deferred.await(second), "cancelled" as const)
      }).pipe(Effect.provideService(CallEvents, (event) =>
        Effect.sync(() => {
          if (event.id === "t3") events.push(event._tag)
        })))
      assert.deepStrictEqual([began, events], [[0, 1], ["Received", "Finished"]])
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [false, true, true])
      assert.strictEqual(textOf(results[0]?.content ?? ""), "done")
    }))

  it.effect("a cancelled batch waits for no server to say whether its tool may overlap", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const slow = ToolRegistryLayers.layerLater(
        "mcp__",
        Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
      )
      const one = yield* Pipeline.pipe(Effect.provide(
        layer(context).pipe(
          Layer.provide(slow),
          Layer.provide(services({}))
        )
      ))
      const results = yield* one.runAll([use("mcp__slow__a", {}, "t1"), use("mcp__slow__b", {}, "t2")], {
        cancel: Effect.as(Deferred.await(asked), "cancelled" as const)
      })
      assert.deepStrictEqual(results.map((result) => [result.tool_use_id, result.is_error]), [["t1", true], [
        "t2",
        true
      ]])
    }))

  it.effect("interrupting the fiber from outside stays interruption and ends what runs", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const tool = probe({
        handler: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const fiber = yield* Effect.forkChild(one.runAll(batch(["t1"])))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(ended))
    }))
})

describe("Pipeline.check", () => {
  it.effect("decides and runs nothing", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      assert.strictEqual((yield* one.check(use("Probe"))).verdict, "allow")
      assert.strictEqual((yield* Effect.flip(one.check(use("Nope"))))._tag, "ToolNotFound")
      assert.strictEqual((yield* Effect.flip(one.check(use("Probe", { n: "x" }))))._tag, "InputInvalid")
    }).pipe(Effect.provide(pipeline({
      tools: [probe({ handler: () => Effect.die("must not run") })],
      rules: allowing,
      hooks: hooks({ preToolUse: () => Effect.die("must not run") }),
      approver: Layer.succeed(Approver, { ask: () => Effect.die("must not be asked") })
    }))))
})
