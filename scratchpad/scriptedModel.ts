/**
 * Stands in for a language model in the other programs here: it calls two tools, then answers.
 */
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const usage = {
  inputTokens: { uncached: 10, total: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 }
}

const answers: Array<Array<Response.PartEncoded>> = [
  [
    { type: "tool-call", id: "call_1", name: "Status", params: { order: "A7" } },
    { type: "tool-call", id: "call_2", name: "Refund", params: { order: "A7" } },
    { type: "finish", reason: "tool-calls", usage, response: undefined }
  ],
  [
    { type: "text", text: "A7 is on its way. I may not give the money back: please ask the shop." },
    { type: "finish", reason: "stop", usage, response: undefined }
  ]
]

export const model = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: () => Effect.sync(() => answers.shift() ?? []),
    streamText: () => Stream.empty
  })
)
