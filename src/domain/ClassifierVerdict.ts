/**
 * What a classifier has to say of a call.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for the answer of a classifier that is sure: which of the user's own
 * descriptions the call matches, and what that one says.
 *
 * @category models
 * @since 0.1.0
 */
export const ClassifierVerdict = Schema.Struct({
  verdict: Schema.Literals(["allow", "deny"]),
  description: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type ClassifierVerdict = typeof ClassifierVerdict.Type
