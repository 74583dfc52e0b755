import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type CallEvent } from "../src/domain/CallEvent.ts"
import { nothingAfter } from "../src/domain/Hook.ts"
import type { Answer, Question } from "../src/domain/Question.ts"
import * as Tool from "../src/domain/Tool.ts"
import { textOf } from "../src/domain/ToolResult.ts"
import type { ToolUse } from "../src/domain/ToolUse.ts"
import * as ApproverLayers from "../src/layers/Approver.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../src/layers/Telemetry.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { CallEvents } from "../src/services/CallEvents.ts"
import { context, hooks, services, use } from "./support/services.ts"

const pipeline = (parts: Parameters<typeof services>[0]): Layer.Layer<Pipeline> =>
  layer(context).pipe(Layer.provide(services(parts)), Layer.provide(TelemetryLayers.layer()))

const tool = (
  name: string,
  handler: (input: { readonly n?: number }) => Effect.Effect<unknown, unknown>,
  safe = true
) =>
  Tool.make({
    name,
    description: "a tool",
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => safe,
    maxResultSizeChars: 300,
    handler
  })

/** What a model sends was made by no compiler. */
const asUses = (blocks: ReadonlyArray<unknown>): ReadonlyArray<ToolUse> => blocks as ReadonlyArray<ToolUse>

describe("a batch that can't be answered block by block", () => {
  const never = pipeline({ tools: [tool("Probe", () => Effect.die("must not run"))] })
  const refused = (blocks: ReadonlyArray<unknown>) =>
    Effect.flatMap(Pipeline, (one) => Effect.flip(one.runAll(asUses(blocks)))).pipe(Effect.provide(never))

  it.effect("is refused before anything runs, and the message says which block and why", () =>
    Effect.gen(function*() {
      const good = use("Probe", {}, "t1")
      const messages = yield* Effect.forEach([
        [good, good],
        [good, { type: "text", text: "hello" }],
        [good, { type: "server_tool_use", id: "t2", name: "web_search", input: {} }],
        [{ ...good, id: "" }],
        [{ ...good, id: 7 }],
        [{ ...good, name: undefined }],
        [good, null],
        [good, "tool_use"]
      ], (blocks) => Effect.map(refused(blocks), ({ message }) => message))
      assert.deepStrictEqual(messages, [
        "two calls of the batch have the id `t1`",
        "block 2 of the batch is of the type `text`, and only `tool_use` blocks can be run",
        "block 2 of the batch is of the type `server_tool_use`, and only `tool_use` blocks can be run",
        "block 1 of the batch is a `tool_use` without an id or a name",
        "block 1 of the batch is a `tool_use` without an id or a name",
        "block 1 of the batch is a `tool_use` without an id or a name",
        "block 2 of the batch is no block at all, and only `tool_use` blocks can be run",
        "block 2 of the batch is no block at all, and only `tool_use` blocks can be run"
      ])
    }))
})

describe("questions of a batch", () => {
  const asking = (answer: (question: Question, count: number) => Answer, rules = RuleSourcesLayers.layerMemory()) => {
    const seen: { questions: Array<string>; open: number; most: number } = { questions: [], open: 0, most: 0 }
    const approver = ApproverLayers.layerFunction((question) =>
      Effect.gen(function*() {
        seen.questions.push(question.id)
        seen.open++
        seen.most = Math.max(seen.most, seen.open)
        for (let at = 0; at < 20; at++) yield* Effect.yieldNow
        seen.open--
        return answer(question, seen.questions.length)
      })
    )
    const tools = [tool("Probe", ({ n }) => Effect.succeed(`ran ${n}`)), tool("Other", () => Effect.succeed("other"))]
    return { seen, layer: pipeline({ tools, approver, rules }) }
  }
  const batch = ["t1", "t2", "t3"].map((id, n) => use("Probe", { n }, id))

  it.effect("are asked one at a time, in the order of the calls", () => {
    const { layer, seen } = asking((_, count) => count === 2 ? { _tag: "Denied" } : { _tag: "Once" })
    return Effect.gen(function*() {
      const results = yield* Effect.flatMap(Pipeline, (one) => one.runAll(batch))
      assert.deepStrictEqual(seen.questions, ["t1", "t2", "t3"])
      assert.strictEqual(seen.most, 1)
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [false, true, false])
    }).pipe(Effect.provide(layer))
  })

  it.effect("an answer that settles a waiting one settles it", () => {
    const { layer, seen } = asking(() => ({ _tag: "Always", destination: "session" }))
    return Effect.gen(function*() {
      const events: Array<CallEvent> = []
      const results = yield* Effect.flatMap(Pipeline, (one) => one.runAll([...batch, use("Other", {}, "t4")])).pipe(
        Effect.provideService(CallEvents, (event) => Effect.sync(() => events.push(event)))
      )
      assert.deepStrictEqual(seen.questions, ["t1", "t4"])
      assert.deepStrictEqual(results.map(({ content }) => textOf(content)), ["ran 0", "ran 1", "ran 2", "other"])
      assert.deepStrictEqual(events.flatMap((event) => event._tag === "Asked" ? [event.id] : []), ["t1", "t4"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("a call that was declined is not asked about again while it waits, in the same message", () => {
    const { layer, seen } = asking((_, count) => count === 1 ? { _tag: "Denied", reason: "not now" } : { _tag: "Once" })
    return Effect.gen(function*() {
      const one = yield* Pipeline
      const same = (id: string) => use("Probe", { n: 7 }, id)
      const events: Array<CallEvent> = []
      const results = yield* one.runAll([same("t1"), same("t2"), use("Probe", { n: 8 }, "t3"), same("t4")]).pipe(
        Effect.provideService(CallEvents, (event) => Effect.sync(() => events.push(event)))
      )
      assert.deepStrictEqual(seen.questions, ["t1", "t3"])
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [true, true, false, true])
      assert.include(textOf(results[3]?.content ?? ""), "not now")
      assert.deepStrictEqual(events.flatMap((event) => event._tag === "Answered" ? [event.id] : []), [
        "t1",
        "t2",
        "t3",
        "t4"
      ])
      // In the next message the person is asked anew.
      yield* one.runAll([same("t5")])
      assert.deepStrictEqual(seen.questions, ["t1", "t3", "t5"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("\"allow once\" settles nothing else, not even the very same call", () => {
    const { layer, seen } = asking(() => ({ _tag: "Once" }))
    return Effect.gen(function*() {
      yield* Effect.flatMap(Pipeline, (one) => one.runAll([...batch, use("Probe", { n: 0 }, "t4")]))
      assert.strictEqual(seen.questions.length, 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("sessions don't wait for each other", () =>
    Effect.gen(function*() {
      const first = yield* Deferred.make<Answer>()
      const approver = ApproverLayers.layerFunction((question) =>
        question.context.session === "one" ? Deferred.await(first) : Effect.succeed({ _tag: "Once" } as const)
      )
      const one = yield* Effect.provide(
        Pipeline,
        pipeline({ tools: [tool("Probe", () => Effect.succeed("ran"))], approver })
      )
      const waiting = yield* Effect.forkChild(one.run(use("Probe"), { ...context, session: "one" }))
      const other = yield* one.run(use("Probe"), { ...context, session: "two" })
      assert.strictEqual(textOf(other.content), "ran")
      yield* Deferred.succeed(first, { _tag: "Once" })
      assert.isDefined(waiting)
    }))
})

describe("a batch that comes call by call", () => {
  it.effect("runs each as soon as it may, refuses an id that it has", () => {
    const events: Array<CallEvent> = []
    return Effect.gen(function*() {
      const { add, end } = yield* (yield* Pipeline).batch()
      yield* add(use("Probe", { n: 1 }, "t1"))
      assert.match((yield* Effect.flip(add(use("Probe", { n: 2 }, "t1")))).message, /`t1`/)
      yield* add(use("Probe", { n: 3 }, "t3"))
      const results = yield* end
      assert.deepStrictEqual(results.map((result) => [result.tool_use_id, textOf(result.content)]), [
        ["t1", "ran 1"],
        ["t3", "ran 3\n\n[note: look again]"]
      ])
      assert.deepStrictEqual(
        events.flatMap((event) => event._tag === "Finished" ? [[event.id, event.outcome]] : []),
        [["t1", "done"], ["t3", "done"]]
      )
      assert.isTrue(events.some((event) => event._tag === "Noted" && event.note.text === "look again"))
      assert.deepInclude(events.at(-1), { _tag: "TurnEnded", id: "t3", reason: "enough" })
    }).pipe(
      Effect.scoped,
      Effect.provideService(CallEvents, (event) => Effect.sync(() => events.push(event))),
      Effect.provide(pipeline({
        tools: [tool("Probe", ({ n }) => Effect.succeed(`ran ${n}`))],
        rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } }),
        hooks: hooks({
          postToolBatch: () => Effect.succeed({ ...nothingAfter, context: ["look again"], endsTurn: "enough" })
        })
      }))
    )
  })
})

describe("a person's no", () => {
  it.effect("is the answer, whatever the input holds, and settles what waits for the same", () =>
    Effect.gen(function*() {
      const circle: { self?: unknown } = {}
      circle.self = circle
      const throws = {
        toJSON: () => {
          throw new Error("nobody may look at it")
        }
      }
      const deep = Array.from({ length: 50_000 }).reduce<unknown>((below) => ({ below }), "end")
      const asked: Array<unknown> = []
      const no: Answer = { _tag: "Denied", reason: "because" }
      const any = Tool.make({
        name: "Any",
        description: "a tool",
        input: Schema.Struct({ value: Schema.Unknown }),
        concurrencySafe: () => true,
        handler: () => Effect.die("must not run")
      })
      const one = yield* Effect.provide(
        Pipeline,
        pipeline({
          tools: [any],
          approver: ApproverLayers.layerFunction(({ input }) => {
            asked.push(input["value"])
            return Effect.as(Effect.yieldNow, no)
          })
        })
      )
      const values = ["text", circle, 1n, throws, deep, "text"]
      const results = yield* one.runAll(values.map((value, at) => use("Any", { value }, `t${at}`)))
      for (const { content } of results) {
        assert.match(textOf(content), /^The person declined this use of Any\. Their reason: because/)
      }
      assert.strictEqual(asked.length, values.length - 1)
    }))
})
