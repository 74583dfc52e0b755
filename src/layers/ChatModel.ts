/**
 * Layers that provide `ChatModel`.
 *
 * @since 0.1.0
 */
import type { Anthropic } from "@anthropic-ai/sdk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ModelFailed } from "../errors/ModelError.ts"
import { ChatModel, type ChatPart, type ChatRequest } from "../services/ChatModel.ts"
import { type AnthropicClient, anthropicClient } from "./anthropicClient.ts"
import * as AnswerReader from "./chat/AnswerReader.ts"
import { cacheMarks } from "./chat/cacheMarks.ts"
import * as Silence from "./chat/Silence.ts"

/**
 * Options of a model behind Anthropic's Messages API.
 *
 * **Details**
 *
 * `apiKey` and `baseURL` are the client's own when left out: `ANTHROPIC_API_KEY`
 * and `ANTHROPIC_BASE_URL` of the environment. `maxTokens` is how long an answer
 * may be (8,192 tokens), `idleTimeout` how long an answer that has begun may be
 * silent (two minutes).
 *
 * @category options
 * @since 0.1.0
 */
export interface AnthropicChatOptions {
  readonly model: string
  readonly apiKey?: Redacted.Redacted | undefined
  readonly baseURL?: string | undefined
  readonly maxTokens?: number | undefined
  readonly idleTimeout?: Duration.Input | undefined
}

/**
 * Layer that converses over the streams of Anthropic's official client. The
 * package `@anthropic-ai/sdk` has to be installed beside this one; it is loaded
 * with the first question. What stays the same from one request to the next is
 * marked for the server's cache.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerAnthropic = (options: AnthropicChatOptions): Layer.Layer<ChatModel> =>
  Layer.effect(
    ChatModel,
    Effect.map(
      Effect.cached(
        anthropicClient(
          // Whoever carries on the conversation knows what has run already, and asks again where that may be.
          { ...options, maxRetries: 0 },
          {
            missing: refused,
            refused: (error) => refused(error instanceof Error ? error.message : "the client can't be made")
          }
        )
      ),
      (client) =>
        ChatModel.of({
          name: options.model,
          answer: (request) => Stream.unwrap(Effect.map(client, (client) => answer(client, options, request)))
        })
    )
  )

const answer = (
  client: AnthropicClient,
  { idleTimeout = "2 minutes", maxTokens = 8_192, model }: AnthropicChatOptions,
  request: ChatRequest
): Stream.Stream<ChatPart, ModelFailed> =>
  Stream.callback<ChatPart, ModelFailed>((queue) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const silence = yield* Silence.make(Duration.fromInputUnsafe(idleTimeout))
      const { messages, system, tools } = cacheMarks(request)
      const heard = Effect.tryPromise({
        try: async (signal) => {
          const reader = AnswerReader.make()
          const { data: events, response } = await client.withOptions({ fetch: silence.fetch }).messages.create({
            model,
            max_tokens: maxTokens,
            stream: true,
            // Blocks go back as they came, whatever a newer model put into them: no type here knows all of them.
            ...(system === undefined ? {} : { system: system as unknown as Array<Anthropic.TextBlockParam> }),
            messages: messages as unknown as Array<Anthropic.MessageParam>,
            tools: tools.map(({ inputSchema, ...tool }) => ({
              ...tool,
              input_schema: { ...inputSchema, type: "object" as const }
            }))
            // How long it may take is watched here, by every byte and not by the first.
          }, { signal, timeout: longest }).withResponse().catch((error: unknown) => {
            // What the client says of it would repeat the key.
            throw Predicate.hasProperty(error, "status") ? error : refused(unsendable)
          })
          const [type = ""] = response.headers.get("content-type")?.split(";") ?? []
          if (neverStreamed.has(type.trim())) {
            events.controller.abort()
            throw unreadable(`the address answers with \`${type.trim()}\`, not with a stream of events`)
          }
          for await (const event of events) Queue.offerAllUnsafe(queue, reader.read(event))
        },
        catch: (error) => whyFailed(error, now)
      })
      yield* Effect.raceFirst(heard, silence.broken)
      yield* Queue.end(queue)
    })
  )

/** What the pages and proxies answer with that stand where a model should; others may call a stream what they like. */
const neverStreamed = new Set(["text/html", "application/json"])

const unsendable = "ANTHROPIC_API_KEY, or what else goes into a header, holds a character that can't be sent"

/** What a timer can wait for. */
const longest = 2 ** 31 - 1

const unreadable = (detail: string): ModelFailed => new ModelFailed({ reason: "unreadable", detail, retryable: false })

const refused = (detail: string): ModelFailed => new ModelFailed({ reason: "refused", detail, retryable: false })

const whyFailed = (error: unknown, now: number): ModelFailed => {
  if (error instanceof ModelFailed) return error
  if (error instanceof SyntaxError) return new ModelFailed({ reason: "unreadable", retryable: true })
  if (!Predicate.hasProperty(error, "status")) {
    // The connection was there: what the client knows of its end says nothing to a person.
    return new ModelFailed({ reason: "cut", retryable: true })
  }
  const { status } = error
  const headers = Predicate.hasProperty(error, "headers") && error.headers instanceof Headers
    ? error.headers
    : undefined
  const type = Predicate.hasProperty(error, "type") && typeof error.type === "string" ? error.type : undefined
  if (status === undefined && type === undefined) return new ModelFailed({ reason: "unreachable", retryable: true })

  const said = Predicate.hasProperty(error, "apiMessage") && typeof error.apiMessage === "string"
    ? error.apiMessage.replace(/\s+/g, " ").slice(0, 300)
    : undefined
  const detail = [typeof status === "number" ? `status ${status}` : undefined, said ?? type]
    .filter((part) => part !== undefined).join(", ")
  const wanted = headers?.get("x-should-retry")
  const busy = wanted === null || wanted === undefined
    ? typeof status === "number" ? status >= 500 || [408, 409, 429].includes(status) : passing.has(type ?? "")
    : wanted === "true"
  const retryAfterMillis = headers === undefined ? undefined : retryAfter(headers, now)
  return new ModelFailed({
    reason: busy ? "busy" : "refused",
    detail,
    retryable: busy,
    ...(busy && retryAfterMillis !== undefined ? { retryAfterMillis } : {})
  })
}

const passing = new Set(["overloaded_error", "rate_limit_error", "api_error", "timeout_error"])

const retryAfter = (headers: Headers, now: number): number | undefined => {
  const millis = Number.parseFloat(headers.get("retry-after-ms") ?? "")
  if (millis >= 0) return millis
  const text = headers.get("retry-after") ?? ""
  const at = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return at >= 0 ? at : undefined
}
