/**
 * Failures of the audit log.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a decision could not be written down.
 *
 * @category errors
 * @since 0.1.0
 */
export class AuditFailed extends Schema.TaggedError<AuditFailed>()("AuditFailed", {
  reason: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `the decision is not in the audit log: ${this.reason}`
  }
}
