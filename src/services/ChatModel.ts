/**
 * Service boundary for the model of a conversation: it is told what was said, and
 * says what it has to say, piece by piece.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { Usage } from "../domain/ConversationEvent.ts"
import { Block, type Message } from "../domain/Message.ts"
import { ToolUse } from "../domain/ToolUse.ts"
import type { ModelFailed } from "../errors/ModelError.ts"

/**
 * A tool as a model is told of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema.JsonSchema
}

/**
 * What a model is asked. The history is well-formed (see `Message.problemOf`).
 *
 * @category models
 * @since 0.1.0
 */
export interface ChatRequest {
  readonly system: string | undefined
  readonly messages: ReadonlyArray<Message>
  readonly tools: ReadonlyArray<OfferedTool>
}

/**
 * Schema for why a model stopped: it had said everything, reached its limit of
 * length, paused and wants to go on, or refused.
 *
 * @category models
 * @since 0.1.0
 */
export const StopReason = Schema.Literals(["end", "cutOff", "pause", "refusal"])

/**
 * @category models
 * @since 0.1.0
 */
export type StopReason = typeof StopReason.Type

/**
 * Schema for a piece of an answer.
 *
 * **Details**
 *
 * - `Text`: a piece of text, for whoever watches.
 * - `Block`: a whole block, in order, as the model wants it back. `use` is the
 *   call that it asks for; `cutOff` says that the call was not written to its
 *   end, and must not run. A call comes only once it is sure that the model meant
 *   all of it.
 * - `Spent`: what this answer has used so far, in place of what came before.
 * - `Ended`: the answer is whole. One that ends without it broke off.
 *
 * @category models
 * @since 0.1.0
 */
export const ChatPart = Schema.Union([
  Schema.TaggedStruct("Text", { text: Schema.String }),
  Schema.TaggedStruct("Block", {
    block: Block,
    use: Schema.optionalKey(ToolUse),
    cutOff: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.TaggedStruct("Spent", { usage: Usage }),
  Schema.TaggedStruct("Ended", { stop: StopReason })
])

/**
 * @category models
 * @since 0.1.0
 */
export type ChatPart = typeof ChatPart.Type

/**
 * Service that is asked for the next message of a conversation.
 *
 * @category services
 * @since 0.1.0
 */
export class ChatModel extends Context.Service<ChatModel, {
  /** What the model is called, where that is known. */
  readonly name: string | undefined
  /** Asks once. Whoever stops listening stops the model. */
  readonly answer: (request: ChatRequest) => Stream.Stream<ChatPart, ModelFailed>
}>()("toolgate/services/ChatModel") {}
