/**
 * Failures of stage 6, folded into a truncated result that says so.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a result could not be kept in the result store.
 *
 * @category errors
 * @since 0.1.0
 */
export class ResultStoreFailed extends Schema.TaggedError<ResultStoreFailed>()("ResultStoreFailed", {
  reason: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `the full output could not be kept: ${this.reason}`
  }
}
