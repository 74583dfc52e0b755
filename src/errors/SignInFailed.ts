/**
 * Failure of signing in to an MCP server.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that nobody signed in. `reason` never repeats what an
 * authorization server wrote, which may hold anything.
 *
 * @category errors
 * @since 0.1.0
 */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  server: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `you are not signed in to the server \`${this.server}\`: ${this.reason}`
  }
}
