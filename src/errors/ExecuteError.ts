/**
 * Failures of stage 5.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a tool did not do its work.
 *
 * **Details**
 *
 * `output` is what the tool had to show before it failed; `exitCode` is there
 * for a shell, where `reason` may be empty: most codes say no more than themselves.
 * A tool fails with this to choose its own words; whatever else a
 * handler fails, throws or dies with is wrapped in it.
 *
 * @category errors
 * @since 0.1.0
 */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  reason: Schema.String,
  output: Schema.optionalKey(Schema.String),
  storedAt: Schema.optionalKey(Schema.String),
  exitCode: Schema.optionalKey(Schema.Int),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return this.reason === "" && this.exitCode !== undefined ? `failed with exit code ${this.exitCode}` : this.reason
  }
}

/**
 * Error indicating that a tool was stopped at its time limit.
 *
 * @category errors
 * @since 0.1.0
 */
export class ToolTimedOut extends Schema.TaggedError<ToolTimedOut>()("ToolTimedOut", {
  limitMillis: Schema.Finite,
  output: Schema.optionalKey(Schema.String),
  storedAt: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return `stopped at its time limit of ${this.limitMillis} ms`
  }
}

/**
 * Error indicating that an MCP server answered a call with an error, or not at
 * all.
 *
 * @category errors
 * @since 0.1.0
 */
export class McpCallFailed extends Schema.TaggedError<McpCallFailed>()("McpCallFailed", {
  server: Schema.String,
  reason: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `the call to the server \`${this.server}\` failed: ${this.reason}`
  }
}

/**
 * Error indicating that an MCP server wants its user to sign in first. `how`
 * says what to do.
 *
 * @category errors
 * @since 0.1.0
 */
export class McpAuthRequired extends Schema.TaggedError<McpAuthRequired>()("McpAuthRequired", {
  server: Schema.String,
  how: Schema.String
}) {
  override get message(): string {
    return `the server \`${this.server}\` wants you to sign in: ${this.how}`
  }
}

/**
 * Schema for every failure of the execute stage.
 *
 * @category errors
 * @since 0.1.0
 */
export const ExecuteError = Schema.Union([ToolFailed, ToolTimedOut, McpCallFailed, McpAuthRequired])

/**
 * @category errors
 * @since 0.1.0
 */
export type ExecuteError = typeof ExecuteError.Type

/**
 * Whether a failure already is one of the execute stage's own.
 *
 * @category guards
 * @since 0.1.0
 */
export const isExecuteError = Schema.is(ExecuteError)
