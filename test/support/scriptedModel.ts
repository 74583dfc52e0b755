/** A model that says what a test wrote down, request by request. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ModelFailed } from "../../src/errors/ModelError.ts"
import { ChatModel, type ChatPart, type ChatRequest, type StopReason } from "../../src/services/ChatModel.ts"

/** A piece of an answer, or what happens instead of one. */
export type Step = ChatPart | Effect.Effect<void, ModelFailed>

export const text = (text: string): ReadonlyArray<ChatPart> => [
  { _tag: "Text", text },
  { _tag: "Block", block: { type: "text", text } }
]

export const call = (id: string, name: string, input: unknown = {}): ChatPart => ({
  _tag: "Block",
  block: { type: "tool_use", id, name, input },
  use: { type: "tool_use", id, name, input }
})

export const ended = (stop: StopReason = "end"): ReadonlyArray<ChatPart> => [
  { _tag: "Spent", usage: { input: 10, output: 2 } },
  { _tag: "Ended", stop }
]

/** The last answer is given again and again. */
export const scripted = (
  answers: ReadonlyArray<ReadonlyArray<Step>>
): { readonly asked: Array<ChatRequest>; readonly layer: Layer.Layer<ChatModel> } => {
  const asked: Array<ChatRequest> = []
  return {
    asked,
    layer: Layer.succeed(ChatModel, {
      name: "scripted",
      answer: (request) =>
        Stream.suspend(() => {
          const steps = answers[Math.min(asked.push(request), answers.length) - 1] ?? []
          return Stream.fromIterable(steps).pipe(
            Stream.flatMap((step) =>
              Effect.isEffect(step) ? Stream.drain(Stream.fromEffect(step)) : Stream.succeed(step)
            )
          )
        })
    })
  }
}
