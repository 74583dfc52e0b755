/**
 * Reads the events of a streamed message and hands out its blocks, each as soon
 * as it is whole.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Usage } from "../../domain/ConversationEvent.ts"
import type { Block } from "../../domain/Message.ts"
import { ToolUse } from "../../domain/ToolUse.ts"
import { ModelFailed } from "../../errors/ModelError.ts"
import type { ChatPart, StopReason } from "../../services/ChatModel.ts"

/**
 * Reads one message. Throws a `ModelFailed` for what is no message.
 *
 * @category models
 * @since 0.1.0
 */
export interface AnswerReader {
  /** What an event, as it came, says. */
  readonly read: (event: unknown) => ReadonlyArray<ChatPart>
}

/**
 * Makes a reader for one message.
 *
 * **Details**
 *
 * A call is held back until something follows it: the end of a message says
 * whether its last call was cut off, and one without input looks whole then. Its
 * input may be no JSON: then the text itself is the input, for the gate to
 * refuse, and the block that goes back to the model holds it as `INVALID_JSON`.
 * Events, blocks and deltas that nobody knows are no mistake; what can be kept of
 * them is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): AnswerReader => {
  const open = new Map<unknown, OpenBlock>()
  let held: OpenBlock | undefined
  let begun = false
  let over = false
  let usage: Usage = { input: 0, output: 0 }

  const release = (cutOff: boolean): ReadonlyArray<ChatPart> => {
    const waiting = held
    held = undefined
    return waiting === undefined ? [] : [called(waiting, cutOff)]
  }
  const spent = (told: unknown): ReadonlyArray<ChatPart> => {
    usage = { ...usage, ...usageOf(told) }
    return [{ _tag: "Spent", usage }]
  }

  return {
    read: (event) => {
      if (!Predicate.isObject(event)) throw new ModelFailed({ reason: "unreadable", retryable: true })
      if (over) return []
      switch (event["type"]) {
        case "message_start": {
          // A proxy that asks once more by itself begins a second message inside the first.
          if (begun) throw new ModelFailed({ reason: "cut", retryable: true })
          begun = true
          const message = event["message"]
          return spent(Predicate.isObject(message) ? message["usage"] : undefined)
        }
        case "content_block_start": {
          const block = event["content_block"]
          if (!isBlock(block)) throw new ModelFailed({ reason: "unreadable", retryable: true })
          open.set(event["index"], { block, json: "" })
          return [...release(false), ...textIn(block)]
        }
        case "content_block_delta": {
          const opened = open.get(event["index"])
          const delta = event["delta"]
          if (opened === undefined || !Predicate.isObject(delta)) return []
          grow(opened, delta)
          return textIn(delta)
        }
        case "content_block_stop": {
          const opened = open.get(event["index"])
          open.delete(event["index"])
          if (opened === undefined) return []
          const before = release(false)
          if (opened.block.type === "tool_use") {
            held = opened
            return before
          }
          return [...before, { _tag: "Block", block: withInput(opened).block }]
        }
        case "message_delta": {
          const delta = event["delta"]
          const reason = Predicate.isObject(delta) ? delta["stop_reason"] : undefined
          const told = spent(event["usage"])
          if (typeof reason !== "string") return told
          const stop = stops[reason] ?? "end"
          over = true
          if (stop === "refusal") return [...told, { _tag: "Ended", stop }]
          const [unended] = open.values()
          const last = held === undefined && unended?.block.type === "tool_use" ? [called(unended, true)] : []
          return [...told, ...release(stop === "cutOff"), ...last, { _tag: "Ended", stop }]
        }
        default:
          return []
      }
    }
  }
}

interface OpenBlock {
  block: Block
  json: string
}

const isBlock = (value: unknown): value is Block =>
  Predicate.isObject(value) && "type" in value && typeof value["type"] === "string"

/** Most begin a text empty; some put its beginning there, or all of it. */
const textIn = ({ text, type }: { readonly [key: string]: unknown }): ReadonlyArray<ChatPart> =>
  (type === "text" || type === "text_delta") && typeof text === "string" && text !== "" ? [{ _tag: "Text", text }] : []

const isToolUse = Schema.is(ToolUse)

const stops: { readonly [reason: string]: StopReason } = {
  max_tokens: "cutOff",
  model_context_window_exceeded: "cutOff",
  pause_turn: "pause",
  refusal: "refusal"
}

/** Adds what a delta brings. */
const grow = (opened: OpenBlock, delta: { readonly [key: string]: unknown }): void => {
  switch (delta["type"]) {
    case "input_json_delta":
      opened.json += typeof delta["partial_json"] === "string" ? delta["partial_json"] : ""
      return
    case "citations_delta": {
      const before = opened.block["citations"]
      opened.block = { ...opened.block, citations: [...Array.isArray(before) ? before : [], delta["citation"]] }
      return
    }
    default: {
      const { type: _, ...fields } = delta
      const grown = Object.entries(fields).map(([name, value]) => {
        const before = opened.block[name]
        return [name, typeof before === "string" && typeof value === "string" ? before + value : value] as const
      })
      opened.block = { ...opened.block, ...Object.fromEntries(grown) }
    }
  }
}

const fromJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

interface Read {
  readonly block: Block
  readonly input: unknown
  readonly whole: boolean
}

/** The block with its input as it was written, where that has come in pieces. */
const withInput = ({ block, json }: OpenBlock): Read => {
  if (json.trim() === "") return { block, input: block["input"], whole: false }
  const read = fromJson(json)
  return Result.isSuccess(read)
    ? {
      block: { ...block, input: Predicate.isObject(read.success) ? read.success : { INVALID_JSON: json } },
      input: read.success,
      whole: true
    }
    : { block: { ...block, input: { INVALID_JSON: json } }, input: json, whole: false }
}

/** A call whose JSON is whole was not cut off, even where the message was. */
const called = (opened: OpenBlock, ended: boolean): ChatPart => {
  const { block, input, whole } = withInput(opened)
  const { id, name } = block
  const use = { type: "tool_use", id, name, input }
  if (!isToolUse(use)) {
    throw new ModelFailed({ reason: "unreadable", detail: "a call has no id or no name", retryable: true })
  }
  return { _tag: "Block", block, use, ...(ended && !whole ? { cutOff: true } : {}) }
}

const usageOf = (told: unknown): Partial<Usage> => {
  if (!Predicate.isObject(told)) return {}
  const count = (field: string): number | undefined => {
    const value = told[field]
    return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined
  }
  const read = {
    input: count("input_tokens"),
    output: count("output_tokens"),
    cacheRead: count("cache_read_input_tokens"),
    cacheWrite: count("cache_creation_input_tokens")
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}
