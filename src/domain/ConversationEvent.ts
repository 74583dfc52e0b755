/**
 * What happens in a conversation between a person, a model and the gate, for
 * those who watch.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallEvent, Outcome } from "./CallEvent.ts"
import { ToolUse } from "./ToolUse.ts"

/**
 * Schema for what answers of a model used, in tokens. `input` is without what a
 * cache gave or took, where a provider counts that apart.
 *
 * @category models
 * @since 0.1.0
 */
export const Usage = Schema.Struct({
  input: Schema.Int,
  output: Schema.Int,
  cacheRead: Schema.optionalKey(Schema.Int),
  cacheWrite: Schema.optionalKey(Schema.Int)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Usage = typeof Usage.Type

/**
 * Schema for why a conversation ended: the model answered in plain text, its
 * answer was cut off at its limit of length, it refused, the limit of turns was
 * reached, somebody stopped it, a hook did, or the model could not be heard.
 *
 * @category models
 * @since 0.1.0
 */
export const ConversationEnd = Schema.Literals([
  "answered",
  "cutOff",
  "refused",
  "turnLimit",
  "interrupted",
  "stoppedByHook",
  "failed"
])

/**
 * @category models
 * @since 0.1.0
 */
export type ConversationEnd = typeof ConversationEnd.Type

/**
 * Schema for how one call of a conversation went. `why` says of a call that was
 * denied what stopped it.
 *
 * @category models
 * @since 0.1.0
 */
export const CallSummary = Schema.Struct({
  use: ToolUse,
  outcome: Outcome,
  why: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CallSummary = typeof CallSummary.Type

/**
 * Schema for one event of a conversation: its own, and those of its calls in
 * between.
 *
 * **Details**
 *
 * - `ConversationStarted`: what was asked, before the first turn.
 * - `TurnStarted`: a request goes to the model; turns count from 1.
 * - `ModelSaid`: a piece of the text that the model is saying.
 * - `ModelRetried`: the answer broke off or never came; the model is asked once
 *   more after the wait. What it said since it last answered is void.
 * - `ModelAnswered`: the turn's answer is whole: its text and the calls it asks
 *   for. Calls may have begun before, each as soon as it was whole.
 * - `ConversationEnded`: the last event; `answer` is the last text, `error` what
 *   went wrong where the model could not be heard, `calls` how each call went,
 *   `cost` what all of it cost where prices are known.
 *
 * @category models
 * @since 0.1.0
 */
export const ConversationEvent = Schema.Union([
  Schema.TaggedStruct("ConversationStarted", { question: Schema.String, model: Schema.optionalKey(Schema.String) }),
  Schema.TaggedStruct("TurnStarted", { turn: Schema.Int }),
  Schema.TaggedStruct("ModelSaid", { turn: Schema.Int, text: Schema.String }),
  Schema.TaggedStruct("ModelRetried", { turn: Schema.Int, error: Schema.String, waitMillis: Schema.Int }),
  Schema.TaggedStruct("ModelAnswered", {
    turn: Schema.Int,
    text: Schema.String,
    uses: Schema.Array(ToolUse),
    usage: Schema.optionalKey(Usage)
  }),
  Schema.TaggedStruct("ConversationEnded", {
    why: ConversationEnd,
    turns: Schema.Int,
    answer: Schema.String,
    usage: Schema.optionalKey(Usage),
    cost: Schema.optionalKey(Schema.Finite),
    calls: Schema.optionalKey(Schema.Array(CallSummary)),
    error: Schema.optionalKey(Schema.String)
  }),
  ...CallEvent.members
])

/**
 * @category models
 * @since 0.1.0
 */
export type ConversationEvent = typeof ConversationEvent.Type
