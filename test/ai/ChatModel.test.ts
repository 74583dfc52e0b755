import { assert, describe, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as ChatModelLayers from "../../src/ai/ChatModel.ts"
import * as Conversation from "../../src/conversation/Conversation.ts"
import { problemOf } from "../../src/domain/Message.ts"
import * as Tool from "../../src/domain/Tool.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import { ChatModel } from "../../src/services/ChatModel.ts"
import { context, services } from "../support/services.ts"

const probe = Tool.make({
  name: "Probe",
  description: "tries",
  input: Schema.Struct({ n: Schema.Int }),
  handler: ({ n }) => Effect.succeed(`ran ${n}`)
})

const usage = {
  inputTokens: { uncached: 7, total: 10, cacheRead: 3, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined }
}

const finish = (reason: Response.FinishReason): Response.StreamPartEncoded => ({
  type: "finish",
  reason,
  usage,
  response: undefined
})

const text = (id: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Response.StreamPartEncoded> => [
  { type: "text-start", id },
  ...deltas.map((delta) => ({ type: "text-delta" as const, id, delta })),
  { type: "text-end", id }
]

const talking = Effect.fnUntraced(function*(
  answers: ReadonlyArray<ReadonlyArray<Response.StreamPartEncoded> | AiError.AiError>
) {
  const asked: Array<Prompt.Prompt> = []
  const model = Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: () => Effect.die("not asked"),
      streamText: ({ prompt, tools }) =>
        Stream.suspend(() => {
          assert.deepStrictEqual(tools.map(({ name }) => name), ["Probe"])
          const answer = answers[Math.min(asked.push(prompt), answers.length) - 1] ?? []
          return AiError.isAiError(answer) ? Stream.fail(answer) : Stream.fromIterable(answer)
        })
    })
  )
  const layer = pipeline.layer(context).pipe(
    Layer.provideMerge(services({
      tools: [probe],
      rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })
    })),
    Layer.provideMerge(TelemetryLayers.layer()),
    Layer.provideMerge(ChatModelLayers.layerLanguageModel("any").pipe(Layer.provide(model)))
  )
  const conversation = yield* Effect.provide(Conversation.make({ context, system: "be brief" }), layer)
  const end = yield* conversation.ask("Go")
  const history = yield* conversation.history
  assert.isUndefined(problemOf(history))
  return { asked, end, history }
})

const call = (params: unknown): Response.StreamPartEncoded => ({ type: "tool-call", id: "c1", name: "Probe", params })

describe("any LanguageModel in a conversation", () => {
  it.effect("is heard, and gets back what it said and what came of it", () =>
    Effect.gen(function*() {
      const { asked, end } = yield* talking([
        [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "hm" },
          { type: "reasoning-end", id: "r", metadata: { some: { signature: "x" } } },
          ...text("t", "Let me ", "see."),
          call({ n: 1 }),
          finish("tool-calls")
        ],
        [...text("t", "It ran."), finish("stop")]
      ])
      assert.deepInclude(end, { why: "answered", answer: "It ran.", turns: 2 })
      assert.deepStrictEqual(end.usage, { input: 14, output: 10, cacheRead: 6 })
      assert.deepStrictEqual(end.calls.map(({ outcome, use }) => [use.input, outcome]), [[{ n: 1 }, "done"]])
      const messages = asked[1]?.content ?? []
      assert.deepStrictEqual(messages.map(({ role }) => role), ["system", "user", "assistant", "tool"])
      const parts = messages.flatMap(({ content }) => typeof content === "string" ? [] : [...content])
      assert.deepInclude(parts[1], { type: "reasoning", text: "hm", options: { some: { signature: "x" } } })
      assert.deepInclude(parts[2], { type: "text", text: "Let me see." })
      assert.deepInclude(parts[3], { type: "tool-call", id: "c1", name: "Probe", params: { n: 1 } })
      assert.deepInclude(parts[4], { type: "tool-result", id: "c1", name: "Probe", result: "ran 1", isFailure: false })
    }))

  it.effect("runs nothing of an answer that was cut off or refused, and is told of a wrong input", () =>
    Effect.gen(function*() {
      const cut = yield* talking([[call({ n: 1 }), finish("length")], [...text("t", "So."), finish("stop")]])
      assert.deepStrictEqual(cut.end.calls.map(({ outcome }) => outcome), ["wrong"])
      const refused = yield* talking([[call({ n: 1 }), finish("content-filter")]])
      assert.deepStrictEqual([refused.end.why, refused.end.calls.length], ["refused", 0])
      const wrong = yield* talking([[call({ n: "x" }), finish("tool-calls")], [...text("t", "So."), finish("stop")]])
      assert.deepStrictEqual([wrong.end.why, wrong.end.calls[0]?.outcome], ["answered", "wrong"])
    }))

  it.effect("that says nothing for ten minutes is given up, and asked again where that may help", () =>
    Effect.gen(function*() {
      const model = Layer.effect(
        LanguageModel.LanguageModel,
        LanguageModel.make({
          generateText: () => Effect.die("not asked"),
          streamText: () => Stream.concat(Stream.fromIterable(text("a", "Well")), Stream.never)
        })
      )
      const { answer } = yield* Effect.provide(
        ChatModel,
        ChatModelLayers.layerLanguageModel().pipe(Layer.provide(model))
      )
      const listening = yield* Effect.forkChild(
        Effect.flip(Stream.runDrain(answer({ system: undefined, messages: [], tools: [] }))),
        { startImmediately: true }
      )
      yield* TestClock.adjust("599 seconds")
      assert.isUndefined(listening.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { message, retryable } = yield* Fiber.join(listening)
      assert.deepStrictEqual([message, retryable], ["the model fell silent: nothing came for 10m", true])
    }))

  it.effect("that fails is a conversation that failed", () =>
    Effect.gen(function*() {
      const reason = new AiError.InvalidRequestError({ description: "no such model" })
      const { end } = yield* talking([AiError.make({ module: "Any", method: "streamText", reason })])
      assert.strictEqual(end.why, "failed")
      assert.match(end.error ?? "", /^the model can't be asked: .*no such model/)
    }))
})
