/**
 * What a server asks the person in the middle of a call, and what they answer.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallContext } from "./CallContext.ts"

/**
 * Schema for one thing that a form asks for. `required` ones have to be given.
 *
 * @category models
 * @since 0.1.0
 */
export const ElicitationField = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  required: Schema.Boolean,
  kind: Schema.Literals(["text", "number", "integer", "boolean", "choice", "choices"]),
  /** What can be chosen, for a choice. */
  options: Schema.Array(Schema.Struct({ value: Schema.String, title: Schema.String }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type ElicitationField = typeof ElicitationField.Type

/**
 * Schema for a question of a server: a form to fill in, or an address to open.
 *
 * **Details**
 *
 * - `id`: the `tool_use` id of the call that it came up in.
 * - `message`: the server's own words. They are a claim like everything else it
 *   says.
 *
 * @category models
 * @since 0.1.0
 */
export const Elicitation = Schema.Struct({
  id: Schema.NonEmptyString,
  server: Schema.String,
  tool: Schema.String,
  message: Schema.String,
  asks: Schema.Union([
    Schema.TaggedStruct("Form", { fields: Schema.Array(ElicitationField) }),
    Schema.TaggedStruct("Address", { url: Schema.String })
  ]),
  context: CallContext
})

/**
 * @category models
 * @since 0.1.0
 */
export type Elicitation = typeof Elicitation.Type

/**
 * Schema for the answer to a server's question.
 *
 * **Details**
 *
 * `Given` holds a value for each field that was filled in; none for an address,
 * where it says that the person agreed to open it. `Nobody` says that there was
 * no one to ask, which a server hears as declined.
 *
 * @category models
 * @since 0.1.0
 */
export const ElicitationAnswer = Schema.Union([
  Schema.TaggedStruct("Given", {
    values: Schema.Record(
      Schema.String,
      Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Array(Schema.String)])
    )
  }),
  Schema.TaggedStruct("Declined", {}),
  Schema.TaggedStruct("Nobody", { why: Schema.String })
])

/**
 * @category models
 * @since 0.1.0
 */
export type ElicitationAnswer = typeof ElicitationAnswer.Type
