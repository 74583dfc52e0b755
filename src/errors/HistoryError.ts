/**
 * Failures of a conversation before it begins.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a history can't be continued, since no model would take
 * it.
 *
 * @category errors
 * @since 0.1.0
 */
export class HistoryBroken extends Schema.TaggedError<HistoryBroken>()("HistoryBroken", {
  problem: Schema.String
}) {
  override get message(): string {
    return `the history can't be continued: ${this.problem}`
  }
}
