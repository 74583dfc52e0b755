import { assert, describe, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { guard } from "../../src/ai/guard.ts"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import { nothingAfter } from "../../src/domain/Hook.ts"
import type { Question } from "../../src/domain/Question.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import { context, hooks, services } from "../support/services.ts"

const Count = Schema.Struct({ n: Schema.Int })

const toolkit = Toolkit.make(
  AiTool.make("Double", { parameters: Count, success: Schema.Struct({ twice: Schema.Int }) }),
  AiTool.make("Fussy", { parameters: Count, success: Schema.String, failure: Schema.Struct({ no: Schema.Int }) }),
  AiTool.make("Gentle", {
    parameters: Count,
    success: Schema.String,
    failure: Schema.Struct({ no: Schema.Int }),
    failureMode: "return"
  }),
  AiTool.make("Steps", { parameters: Count, success: Schema.Int }).annotate(AiTool.Readonly, true),
  AiTool.make("Careful", { parameters: Count, success: Schema.String, needsApproval: ({ n }) => n > 5 }),
  AiTool.make("Forbidden", { success: Schema.String })
)

const handlers = toolkit.toLayer({
  Double: ({ n }) => n < 0 ? Effect.die(new Error("bug")) : Effect.succeed({ twice: n * 2 }),
  Fussy: ({ n }) => Effect.fail({ no: n }),
  Gentle: ({ n }) => Effect.fail({ no: n }),
  Steps: ({ n }, { preliminary }) => Effect.as(Effect.forEach([1, 2], preliminary), n),
  Careful: () => Effect.succeed("carefully"),
  Forbidden: () => Effect.die("must not run")
})

const gate = (parts: Parameters<typeof services>[0] = {}) =>
  pipeline.layer(context).pipe(
    Layer.provide(services({
      rules: RuleSourcesLayers.layerMemory({
        texts: { session: { allow: ["Double", "Fussy", "Gentle", "Steps", "Careful", "Alone"], deny: ["Forbidden"] } }
      }),
      ...parts
    })),
    Layer.provide(TelemetryLayers.layer()),
    Layer.merge(handlers)
  )

const handled = (name: keyof typeof toolkit.tools, params: unknown) =>
  Effect.gen(function*() {
    const { handle } = yield* guard(toolkit)
    // What a model sends was made by no compiler.
    return yield* Stream.runCollect(Stream.unwrap(handle(name, params as never, "t1")))
  })

describe("a guarded Toolkit", () => {
  it.effect("gives the value that it always gave, its input read with the gate's kindness", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* handled("Double", { n: "4" }), [
        { result: { twice: 8 }, encodedResult: { twice: 8 }, isFailure: false, preliminary: false }
      ])
    }).pipe(Effect.provide(gate())))

  it.effect("answers a denial with a failed result, in every failure mode, and runs nothing", () =>
    Effect.gen(function*() {
      const [result, ...others] = yield* handled("Forbidden", {})
      assert.deepStrictEqual([others.length, result?.isFailure, result?.preliminary], [0, true, false])
      assert.deepInclude(result?.result, { type: "execution-denied" })
      assert.match(JSON.stringify(result?.encodedResult), /execution-denied.*rule/)
    }).pipe(Effect.provide(gate())))

  it.effect("fails as the tool's failure mode says", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(handled("Fussy", { n: 3 }))
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) {
        assert.deepStrictEqual(Cause.squash(exit.cause), { no: 3 })
        assert.strictEqual(Context.get(Cause.annotations(exit.cause), Toolkit.FailureOrigin), "handler")
      }
      const [gentle] = yield* handled("Gentle", { n: 3 })
      assert.deepInclude(gentle, { result: { no: 3 }, isFailure: true, failureOrigin: "handler" })

      const wrong = yield* Effect.flip(handled("Fussy", { n: "x" }))
      assert.isTrue(AiError.isAiError(wrong))
      assert.strictEqual(AiError.isAiError(wrong) ? wrong.reason._tag : "", "ToolParameterValidationError")
      const [told] = yield* handled("Gentle", {})
      assert.deepInclude(told, { isFailure: true, failureOrigin: "parameters" })
      assert.match(JSON.stringify(told?.encodedResult), /ToolParameterValidationError/)
    }).pipe(Effect.provide(gate())))

  it.effect("keeps a defect of a handler a defect", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(handled("Double", { n: -1 }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    }).pipe(Effect.provide(gate())))

  it.effect("streams preliminary results, which are progress", () => {
    const progress: Array<string> = []
    return Effect.gen(function*() {
      const results = yield* handled("Steps", { n: 3 }).pipe(
        Effect.provideService(CallEvents, (event: CallEvent) =>
          Effect.sync(() => {
            if (event._tag === "Progress") progress.push(event.text)
          }))
      )
      assert.deepStrictEqual(results.map(({ preliminary, result }) => [result, preliminary]), [
        [1, true],
        [2, true],
        [3, false]
      ])
      assert.deepStrictEqual(progress, ["1\n", "2\n"])
    }).pipe(Effect.provide(gate()))
  })

  it.effect("asks the gate's approver where the tool needs approval, whatever rules allow", () => {
    const asked: Array<Question> = []
    const approver = ApproverLayers.layerFunction((question) =>
      Effect.sync(() => {
        asked.push(question)
        return { _tag: "Once" }
      })
    )
    return Effect.gen(function*() {
      const { tools } = yield* guard(toolkit)
      assert.isFalse(tools.Careful.needsApproval)
      yield* handled("Careful", { n: 1 })
      assert.strictEqual(asked.length, 0)
      const [result] = yield* handled("Careful", { n: 9 })
      assert.deepStrictEqual([asked.length, result?.result], [1, "carefully"])
    }).pipe(Effect.provide(gate({ approver })))
  })

  it.effect("tells the model what the gate has to add, and the application the value", () =>
    Effect.gen(function*() {
      const [result] = yield* handled("Double", { n: 2 })
      assert.deepInclude(result, { result: { twice: 4 }, encodedResult: { twice: 4 } })
      assert.deepStrictEqual(result?.modelOutput?.map((part) => part.type === "text" ? part.text : part.type), [
        "{\"twice\":4}\n\n[note: mind the gap]"
      ])
    }).pipe(Effect.provide(gate({
      hooks: hooks({ postToolUse: () => Effect.succeed({ ...nothingAfter, context: ["mind the gap"] }) })
    }))))

  it.effect("ends its calls with whoever asked for them", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<boolean>()
      const waiting = Toolkit.make(AiTool.make("Double"))
      yield* Effect.gen(function*() {
        const { handle } = yield* guard(waiting)
        const fiber = yield* Effect.forkChild(Stream.runDrain(Stream.unwrap(handle("Double", {}))))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(waiting.toLayer({
        Double: () =>
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(stopped, true))
          )
      })))
      assert.isTrue(yield* Deferred.await(stopped))
    }).pipe(Effect.provide(gate())))

  it.effect("serves generateText and streamText, calls that may not overlap one at a time", () => {
    let running = 0
    let most = 0
    const slow = Toolkit.make(
      AiTool.make("Alone", { success: Schema.Int }),
      AiTool.make("Forbidden", { success: Schema.String })
    )
    const counted = slow.toLayer({
      Alone: () =>
        Effect.gen(function*() {
          most = Math.max(most, ++running)
          for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
          return running--
        }),
      Forbidden: () => Effect.die("must not run")
    })
    const calls = ["Alone", "Forbidden", "Alone"].map((name, at) => ({
      type: "tool-call" as const,
      id: `t${at}`,
      name,
      params: {}
    }))
    const finish: Response.FinishPartEncoded = {
      type: "finish",
      reason: "tool-calls",
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    } as Response.FinishPartEncoded
    const model = Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: () => Effect.succeed([...calls, finish]),
        streamText: () => Stream.fromIterable([...calls, finish])
      })
    )
    return Effect.gen(function*() {
      const { toolResults } = yield* LanguageModel.generateText({ prompt: "Go", toolkit: guard(slow) })
      assert.deepStrictEqual(toolResults.map(({ id, isFailure }) => [id, isFailure]).toSorted(), [
        ["t0", false],
        ["t1", true],
        ["t2", false]
      ])
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "Go", toolkit: guard(slow) }))
      assert.strictEqual(parts.filter(({ type }) => type === "tool-result").length, 3)
      assert.strictEqual(most, 1)
    }).pipe(
      Effect.provide(Layer.mergeAll(model, counted, gate())),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  })
})

const Told = Schema.Struct({ does: Schema.String, n: Schema.Int })
const told = { description: "does what it is told", parameters: Told, success: Schema.Int, failure: Schema.String }

const drawn = {
  calls: Schema.Array(Schema.Struct({
    name: Schema.Literals(["Safe", "Alone", "Gentle", "Careful"]),
    does: Schema.Literals(["gives", "streams", "fails", "dies", "throws", "hangs", "is asked wrongly"])
  })).check(Schema.isMaxLength(5)),
  rules: Schema.Struct({
    Safe: Schema.Literals(["allow", "ask", "deny"]),
    Alone: Schema.Literals(["allow", "ask", "deny"]),
    Gentle: Schema.Literals(["allow", "ask", "deny"]),
    Careful: Schema.Literals(["allow", "ask", "deny"])
  }),
  answer: Schema.Literals(["Once", "Denied"])
}

describe("calls of a guarded Toolkit in which anything may go wrong", () => {
  it.effect.prop(
    "end each as the Toolkit's would or with one denial, start no denied handler, and leave nothing running",
    drawn,
    ({ answer, calls, rules }) =>
      Effect.gen(function*() {
        const stop = yield* Deferred.make<void>()
        const started: Array<number> = []
        const running = { all: 0, alone: 0, most: 0 }
        const handler = (alone: 0 | 1) => ({ does, n }: typeof Told.Type): Effect.Effect<number, string> =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              started.push(n)
              running.all++
              running.alone += alone
              if (running.alone > 0) running.most = Math.max(running.most, running.all)
            }),
            () => {
              switch (does) {
                case "fails":
                  return Effect.fail("no")
                case "dies":
                  return Effect.die("bug")
                case "throws":
                  throw new Error("bug")
                case "hangs":
                  return Effect.andThen(Deferred.succeed(stop, undefined), Effect.never)
                default:
                  return Effect.as(Effect.yieldNow, n)
              }
            },
            () =>
              Effect.sync(() => {
                running.all--
                running.alone -= alone
              })
          )
        const toolkit = Toolkit.make(
          AiTool.make("Safe", told).annotate(AiTool.Readonly, true),
          AiTool.make("Alone", told),
          AiTool.make("Gentle", { ...told, failureMode: "return" }).annotate(AiTool.Readonly, true),
          AiTool.make("Careful", { ...told, needsApproval: true }).annotate(AiTool.Readonly, true)
        )
        const handlers = toolkit.toLayer({
          Safe: (input, { preliminary }) =>
            Effect.andThen(input.does === "streams" ? preliminary(-1) : Effect.void, handler(0)(input)),
          Alone: handler(1),
          Gentle: handler(0),
          Careful: handler(0)
        })
        const behaviors = (behavior: string) =>
          Object.entries(rules).flatMap(([name, is]) => is === behavior ? [name] : [])
        const exits = yield* Effect.gen(function*() {
          const { handle } = yield* guard(toolkit)
          const each = Effect.forEach(calls, ({ does, name }, n) => {
            const params = does === "is asked wrongly" ? { n: "x" } : { does, n: `${n}` }
            // What a model sends was made by no compiler.
            return Effect.exit(Stream.runCollect(Stream.unwrap(handle(name, params as never, `t${n}`))))
          }, { concurrency: "unbounded" })
          return yield* Effect.raceFirst(each, Effect.as(Deferred.await(stop), undefined))
        }).pipe(Effect.provide(Layer.merge(
          handlers,
          pipeline.layer(context).pipe(Layer.provide(services({
            rules: RuleSourcesLayers.layerMemory({
              texts: { session: { allow: behaviors("allow"), ask: behaviors("ask"), deny: behaviors("deny") } }
            }),
            approver: ApproverLayers.layerFunction(() => Effect.succeed({ _tag: answer } as const))
          })))
        )))

        const mayStart = ({ does, name }: typeof calls[number]): boolean =>
          does !== "is asked wrongly" && rules[name] !== "deny" &&
          (rules[name] === "allow" && name !== "Careful" || answer === "Once")
        assert.strictEqual(running.all, 0)
        assert.isAtMost(running.most, 1)
        assert.strictEqual(new Set(started).size, started.length)
        for (const n of started) assert.isTrue(mayStart(calls[n] ?? assert.fail("no such call")))
        exits?.forEach((exit, n) => {
          const call = calls[n] ?? assert.fail("no such call")
          const { does, name } = call
          const wrong = does === "is asked wrongly"
          assert.strictEqual(started.includes(n), mayStart(call))
          if (Exit.isFailure(exit)) {
            assert.isTrue(name !== "Gentle" && (wrong || mayStart(call)) || does === "dies" || does === "throws")
            assert.strictEqual(Cause.hasDies(exit.cause), does === "dies" || does === "throws")
            return
          }
          const last = exit.value.at(-1)
          assert.deepStrictEqual(exit.value.map(({ preliminary }) => preliminary), [
            ...exit.value.slice(1).map(() => true),
            false
          ])
          if (mayStart(call) && does !== "fails") return assert.deepInclude(last, { result: n, isFailure: false })
          assert.isTrue(last?.isFailure)
          if (!wrong && !mayStart(call)) assert.deepInclude(last?.result, { type: "execution-denied" })
        })
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
    { arbitrary: { runs: 500 } }
  )
})
