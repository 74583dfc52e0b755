/**
 * The block with which a language model asks for a tool.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a `tool_use` block of the Anthropic Messages API. The input is left
 * as it came: judging its shape is the business of the validate stage.
 *
 * @category models
 * @since 0.1.0
 */
export const ToolUse = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.NonEmptyString,
  name: Schema.String,
  input: Schema.Unknown
})

/**
 * @category models
 * @since 0.1.0
 */
export type ToolUse = typeof ToolUse.Type
