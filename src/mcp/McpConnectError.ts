/**
 * Failures of connecting to an MCP server.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { McpAuthRequired } from "../errors/ExecuteError.ts"

/**
 * Error indicating that a server could not be connected to. `stderr` is the end
 * of what its program said, where it is one.
 *
 * @category errors
 * @since 0.1.0
 */
export class McpConnectFailed extends Schema.TaggedError<McpConnectFailed>()("McpConnectFailed", {
  server: Schema.String,
  reason: Schema.String,
  stderr: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    const said = this.stderr === undefined ? "" : `; its program said: ${this.stderr}`
    return `the server \`${this.server}\` could not be connected to: ${this.reason}${said}`
  }
}

/**
 * Schema for every failure of connecting.
 *
 * @category errors
 * @since 0.1.0
 */
export const McpConnectError = Schema.Union([McpConnectFailed, McpAuthRequired])

/**
 * @category errors
 * @since 0.1.0
 */
export type McpConnectError = typeof McpConnectError.Type
