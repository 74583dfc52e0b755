/**
 * A language model behind Anthropic's Messages API, by its official client. The
 * package `@anthropic-ai/sdk` has to be installed beside this one.
 *
 * @since 0.1.0
 */
import type { Anthropic } from "@anthropic-ai/sdk"
import * as AiError from "effect/ai/AiError"
import { toCodecAnthropic } from "effect/ai/AnthropicStructuredOutput"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { type AnthropicClient, anthropicClient } from "./anthropicClient.ts"
import { ModelChoice } from "./ModelChoice.ts"

/**
 * Options of the model.
 *
 * **Details**
 *
 * `apiKey` and `baseURL` are the client's own when left out: `ANTHROPIC_API_KEY`
 * and `ANTHROPIC_BASE_URL` of the environment.
 *
 * @category options
 * @since 0.1.0
 */
export interface AnthropicOptions {
  readonly model: string
  readonly apiKey?: Redacted.Redacted | undefined
  readonly baseURL?: string | undefined
  readonly maxTokens?: number | undefined
}

/**
 * Layer that asks a model of Anthropic's. It speaks text and structured answers,
 * neither tools nor streams: enough to judge, not to hold a conversation.
 *
 * **Details**
 *
 * The client is loaded once the Layer is made. Where it is not installed, or has
 * no key, asking fails and says so; nothing else does.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAnthropic = (options: AnthropicOptions): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function*() {
      const loaded = yield* Effect.result(anthropicClient(options, {
        missing: (description) => failed(new AiError.InvalidRequestError({ description })),
        refused: whyFailed
      }))
      return yield* LanguageModel.make({
        codecTransformer: toCodecAnthropic,
        generateText: (request) =>
          Effect.flatMap(Effect.fromResult(loaded), (client) => generate(client, options, request)),
        streamText: () =>
          Stream.fail(failed(new AiError.InvalidRequestError({ description: "there are no streams here" })))
      })
    })
  )

const generate = Effect.fnUntraced(function*(
  client: AnthropicClient,
  { maxTokens = 2_000, model }: AnthropicOptions,
  { prompt, responseFormat }: LanguageModel.ProviderOptions
): Effect.fn.Return<Array<Response.PartEncoded>, AiError.AiError> {
  const chosen = (yield* ModelChoice) ?? model
  const system = prompt.content.flatMap((message) => message.role === "system" ? [message.content] : []).join("\n\n")
  const answer = yield* Effect.tryPromise({
    try: (signal) =>
      client.messages.create({
        model: chosen,
        max_tokens: maxTokens,
        ...(system === "" ? {} : { system }),
        messages: messagesOf(prompt),
        ...(responseFormat.type === "json"
          ? {
            output_config: {
              format: { type: "json_schema", schema: { ...toCodecAnthropic(responseFormat.schema).jsonSchema } }
            }
          }
          : {})
      }, { signal }),
    catch: whyFailed
  })
  if (answer.stop_reason === "refusal") {
    return yield* failed(new AiError.ContentPolicyError({ description: "the model refused" }))
  }
  return [
    ...answer.content.flatMap((block) => block.type === "text" ? [{ type: "text" as const, text: block.text }] : []),
    {
      type: "finish",
      reason: answer.stop_reason === "max_tokens" || answer.stop_reason === "model_context_window_exceeded"
        ? "length"
        : "stop",
      usage: {
        inputTokens: {
          uncached: answer.usage.input_tokens,
          total: undefined,
          cacheRead: undefined,
          cacheWrite: undefined
        },
        outputTokens: { total: answer.usage.output_tokens, text: undefined, reasoning: undefined }
      },
      response: undefined
    }
  ]
})

const messagesOf = (prompt: Prompt.Prompt): Array<Anthropic.MessageParam> =>
  prompt.content.flatMap((message): Array<Anthropic.MessageParam> => {
    if (message.role !== "user" && message.role !== "assistant") return []
    const parts: ReadonlyArray<Prompt.Part> = message.content
    const text = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")
    return text === "" ? [] : [{ role: message.role, content: text }]
  })

const failed = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "AnthropicModel", method: "generateText", reason })

// What the server says may quote what it was told, so that only its status goes on.
const whyFailed = (error: unknown): AiError.AiError =>
  failed(
    Predicate.hasProperty(error, "status") && typeof error.status === "number"
      ? AiError.reasonFromHttpStatus({ status: error.status, description: `answered with status ${error.status}` })
      : new AiError.UnknownError({ description: "could not be asked" })
  )
