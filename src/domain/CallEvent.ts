/**
 * What happens to a call while it goes through the pipeline, for those who
 * watch.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decision } from "./Decision.ts"
import { Note } from "./Note.ts"
import { Answer, Question } from "./Question.ts"
import { ToolResult } from "./ToolResult.ts"
import { ToolUse } from "./ToolUse.ts"

/**
 * Schema for the eight stages, in order.
 *
 * @category models
 * @since 0.1.0
 */
export const Stage = Schema.Literals([
  "lookup",
  "validate",
  "screen",
  "permission",
  "execute",
  "result",
  "postHook",
  "emit"
])

/**
 * @category models
 * @since 0.1.0
 */
export type Stage = typeof Stage.Type

/**
 * Schema for how a call ended: its tool did its work, its tool failed, the call
 * was wrong (no such tool, no such input), it was denied, it was stopped before
 * it was done, or we made a mistake.
 *
 * @category models
 * @since 0.1.0
 */
export const Outcome = Schema.Literals(["done", "failed", "wrong", "denied", "stopped", "internal"])

/**
 * @category models
 * @since 0.1.0
 */
export type Outcome = typeof Outcome.Type

/**
 * Schema for one event. `id` is the `tool_use` id of the call it belongs to.
 *
 * **Details**
 *
 * `Received` is the first of every call. `parent` is the id of the call whose
 * tool asks for this one, where a tool does. `Stored` names the file that holds
 * the whole of a result too long to hand over, and its `size` in bytes where it
 * is known. `TurnEnded` says that a hook wants the model to be asked no further,
 * and why: whoever carries on the conversation stops there. After a batch it
 * comes under the id of the last call.
 *
 * @category models
 * @since 0.1.0
 */
export const CallEvent = Schema.Union([
  Schema.TaggedStruct("Received", { id: Schema.String, use: ToolUse, parent: Schema.optionalKey(Schema.String) }),
  Schema.TaggedStruct("StageStarted", { id: Schema.String, stage: Stage }),
  Schema.TaggedStruct("StageEnded", { id: Schema.String, stage: Stage, outcome: Schema.String }),
  Schema.TaggedStruct("Progress", {
    id: Schema.String,
    channel: Schema.Literals(["stdout", "stderr", "message"]),
    text: Schema.String
  }),
  Schema.TaggedStruct("Decided", { id: Schema.String, decision: Decision }),
  Schema.TaggedStruct("Asked", { id: Schema.String, question: Question }),
  Schema.TaggedStruct("Answered", { id: Schema.String, answer: Answer }),
  Schema.TaggedStruct("Stored", { id: Schema.String, path: Schema.String, size: Schema.optionalKey(Schema.Int) }),
  Schema.TaggedStruct("Noted", { id: Schema.String, note: Note }),
  Schema.TaggedStruct("TurnEnded", { id: Schema.String, reason: Schema.String }),
  Schema.TaggedStruct("Finished", { id: Schema.String, outcome: Outcome, result: ToolResult })
])

/**
 * @category models
 * @since 0.1.0
 */
export type CallEvent = typeof CallEvent.Type
