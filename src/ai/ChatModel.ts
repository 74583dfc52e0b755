/**
 * The model of a conversation from any `LanguageModel` of `effect/ai`.
 *
 * @since 0.1.0
 */
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as AiTool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { Block, Message } from "../domain/Message.ts"
import { ModelFailed } from "../errors/ModelError.ts"
import { silent } from "../layers/chat/Silence.ts"
import { ChatModel, type ChatPart, type ChatRequest, type StopReason } from "../services/ChatModel.ts"

/**
 * Layer that converses with the `LanguageModel` that is provided. `name` is what
 * it is called, for those who watch; `idleTimeout` how long it may say nothing
 * (ten minutes, since some think for long without a word).
 *
 * **Details**
 *
 * Calls are run by the conversation, not by the model. What only its provider
 * understands, such as reasoning, goes back as it came.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerLanguageModel = (
  name?: string,
  { idleTimeout = "10 minutes" }: { readonly idleTimeout?: Duration.Input } = {}
): Layer.Layer<ChatModel, never, LanguageModel.LanguageModel> =>
  Layer.effect(
    ChatModel,
    Effect.map(LanguageModel.LanguageModel, (model) => {
      const limit = Duration.fromInputUnsafe(idleTimeout)
      return ChatModel.of({
        name,
        answer: (request) =>
          Stream.suspend(() => {
            const read = reader()
            // Nothing of these tools is run or encoded here, so that they need nothing, whatever their type allows for.
            const answer = model.streamText({
              prompt: promptOf(request),
              toolkit: offering(request),
              disableToolCallResolution: true,
              toolCallValidation: "deferred"
            }) as Stream.Stream<Response.AnyPart, AiError.AiError>
            return answer.pipe(
              Stream.mapError(whyFailed),
              Stream.timeoutOrElse({ duration: limit, orElse: () => Stream.fail(silent(limit)) }),
              Stream.mapEffect(read),
              Stream.flattenIterable
            )
          })
      })
    })
  )

const offering = ({ tools }: ChatRequest): Toolkit.WithHandler<Record<string, AiTool.Any>> => ({
  tools: Object.fromEntries(
    tools.map(({ description, inputSchema, name }) => [
      name,
      AiTool.dynamic(name, { description, parameters: inputSchema })
    ])
  ),
  handle: ((name: string) => Effect.die(new Error(`the conversation runs \`${name}\`, nobody else`))) as never
})

/** Reads one answer. A call is held back until something follows it, as with every model. */
const reader = (): (part: Response.AnyPart) => Effect.Effect<ReadonlyArray<ChatPart>, ModelFailed> => {
  const open = new Map<string, Array<Response.AnyPart>>()
  let held: ReadonlyArray<ChatPart> = []
  const release = (): ReadonlyArray<ChatPart> => {
    const parts = held
    held = []
    return parts
  }
  const read = (part: Response.AnyPart): ReadonlyArray<ChatPart> => {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        open.set(part.id, [part])
        return release()
      case "text-delta":
        open.get(part.id)?.push(part)
        return part.delta === "" ? [] : [{ _tag: "Text", text: part.delta }]
      case "reasoning-delta":
        open.get(part.id)?.push(part)
        return []
      case "text-end":
      case "reasoning-end": {
        const parts = [...open.get(part.id) ?? [], part]
        open.delete(part.id)
        return blocksOf(parts)
      }
      case "tool-call": {
        if (part.providerExecuted === true) return [...release(), ...blocksOf([part])]
        const { id, metadata, name, params: input } = part
        const before = release()
        held = [{
          _tag: "Block",
          block: { type: "tool_use", id, name, input, options: metadata },
          use: { type: "tool_use", id, name, input }
        }]
        return before
      }
      case "tool-result":
      case "file":
        return [...release(), ...blocksOf([part])]
      case "finish": {
        const stop = stops[part.reason] ?? "end"
        const { inputTokens, outputTokens } = part.usage
        const last = release()
        return [
          ...stop === "refusal"
            ? []
            : stop === "cutOff"
            ? last.map((one) => one._tag === "Block" ? { ...one, cutOff: true } : one)
            : last,
          {
            _tag: "Spent",
            usage: {
              input: inputTokens.uncached ?? inputTokens.total ?? 0,
              output: outputTokens.total ?? 0,
              ...(inputTokens.cacheRead === undefined ? {} : { cacheRead: inputTokens.cacheRead }),
              ...(inputTokens.cacheWrite === undefined ? {} : { cacheWrite: inputTokens.cacheWrite })
            }
          },
          { _tag: "Ended", stop }
        ]
      }
      default:
        return []
    }
  }
  return (part) =>
    part.type === "error" || (part.type === "finish" && part.reason === "error")
      ? Effect.fail(new ModelFailed({ reason: "cut", retryable: true }))
      : Effect.sync(() => read(part))
}

const stops: { readonly [reason: string]: StopReason } = {
  length: "cutOff",
  "content-filter": "refusal",
  pause: "pause"
}

/** Whole parts as a model wants them back. */
const blocksOf = (parts: ReadonlyArray<Response.AnyPart>): ReadonlyArray<ChatPart> =>
  Prompt.fromResponseParts(parts).content.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.map((part): ChatPart => ({ _tag: "Block", block: { ...part } }))
  )

const promptOf = ({ messages, system }: ChatRequest): Prompt.Prompt => {
  const names = new Map<unknown, string>()
  const said = messages.flatMap(({ content, role }: Message): ReadonlyArray<Prompt.Message> => {
    if (role === "assistant") {
      for (const { id, name, type } of content) {
        if (type === "tool_use" && typeof name === "string") names.set(id, name)
      }
      return [Prompt.assistantMessage({ content: content.map(assistantPart) })]
    }
    const results = content.filter(({ type }) => type === "tool_result")
    const texts = content.flatMap(({ text }) => typeof text === "string" ? [Prompt.textPart({ text })] : [])
    return [
      ...results.length === 0
        ? []
        : [Prompt.toolMessage({ content: results.map((result) => resultPart(result, names)) })],
      ...texts.length === 0 ? [] : [Prompt.userMessage({ content: texts })]
    ]
  })
  return Prompt.fromMessages(system === undefined ? said : [Prompt.systemMessage({ content: system }), ...said])
}

const assistantPart = (block: Block): Prompt.AssistantMessagePart => {
  if (block.type !== "tool_use") {
    const { type, ...fields } = block
    // A block of any other type is a part that this very model gave, or a text.
    return Prompt.makePart(type as Prompt.AssistantMessagePart["type"], fields as never) as Prompt.AssistantMessagePart
  }
  const { id, input, name, options } = block
  return Prompt.toolCallPart({
    id: String(id),
    name: String(name),
    params: input,
    providerExecuted: false,
    ...(Predicate.isObject(options) ? { options: options as Prompt.ProviderOptions } : {})
  })
}

const resultPart = (result: Block, names: ReadonlyMap<unknown, string>): Prompt.ToolResultPart =>
  Prompt.toolResultPart({
    id: String(result["tool_use_id"]),
    name: names.get(result["tool_use_id"]) ?? "",
    isFailure: result["is_error"] === true,
    result: result["content"],
    providerExecuted: false
  })

const whyFailed = (error: AiError.AiError): ModelFailed => {
  const { reason } = error
  const wait = reason._tag === "RateLimitError" ? reason.retryAfter : undefined
  return new ModelFailed({
    reason: error.isRetryable ? "busy" : "refused",
    detail: error.message.replace(/\s+/g, " ").slice(0, 300),
    retryable: error.isRetryable,
    ...(wait === undefined ? {} : { retryAfterMillis: Duration.toMillis(wait) })
  })
}
