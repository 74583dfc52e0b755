/**
 * What the pipeline has to say beside the answer: a deprecated alias, a hook's
 * message, a rule that could not be read.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for one note. `model` notes are told to the model with the result,
 * `person` notes only to whoever runs the call.
 *
 * @category models
 * @since 0.1.0
 */
export const Note = Schema.Struct({
  audience: Schema.Literals(["model", "person"]),
  text: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Note = typeof Note.Type
