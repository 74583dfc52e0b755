/**
 * What a person is asked before a call may run, and what they can answer.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallContext } from "./CallContext.ts"
import { Decision } from "./Decision.ts"
import { RuleSource } from "./Rule.ts"

/**
 * Schema for a question. `input` is the whole input that would run.
 *
 * @category models
 * @since 0.1.0
 */
export const Question = Schema.Struct({
  id: Schema.NonEmptyString,
  tool: Schema.String,
  input: Schema.Record(Schema.String, Schema.Unknown),
  decision: Decision,
  context: CallContext
})

/**
 * @category models
 * @since 0.1.0
 */
export type Question = typeof Question.Type

/**
 * Schema for an answer.
 *
 * **Details**
 *
 * `Always` saves the question's suggestions to `destination` and permits the
 * call. `Nobody` says that there was no one to ask, and why.
 *
 * @category models
 * @since 0.1.0
 */
export const Answer = Schema.Union([
  Schema.TaggedStruct("Once", {}),
  Schema.TaggedStruct("Always", { destination: RuleSource }),
  Schema.TaggedStruct("Denied", { reason: Schema.optionalKey(Schema.String) }),
  Schema.TaggedStruct("Nobody", { why: Schema.String })
])

/**
 * @category models
 * @since 0.1.0
 */
export type Answer = typeof Answer.Type
