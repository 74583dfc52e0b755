/**
 * How errors hold the call that they ended.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallContext } from "../domain/CallContext.ts"
import { Decision } from "../domain/Decision.ts"
import { Note } from "../domain/Note.ts"
import { ToolUse } from "../domain/ToolUse.ts"

/**
 * Schema for the call so far, carried by every error.
 *
 * @category models
 * @since 0.1.0
 */
export const CallState = Schema.Struct({
  use: ToolUse,
  context: CallContext,
  notes: Schema.Array(Note),
  tool: Schema.optionalKey(Schema.String),
  decision: Schema.optionalKey(Decision)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CallState = typeof CallState.Type
