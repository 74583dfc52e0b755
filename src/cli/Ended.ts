/**
 * How a command ends when it does not end well.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a command has said everything there is to say and ends
 * with an exit code.
 *
 * @category errors
 * @since 0.1.0
 */
export class Ended extends Schema.TaggedError<Ended>()("Ended", { code: Schema.Int }) {
  override get message(): string {
    return `ended with exit code ${this.code}`
  }
}

/**
 * Error indicating that a command was used in a way that can't work. `problem`
 * says what, where, and what to do.
 *
 * @category errors
 * @since 0.1.0
 */
export class Misused extends Schema.TaggedError<Misused>()("Misused", { problem: Schema.String }) {
  override get message(): string {
    return this.problem
  }
}
