/**
 * An error whose message was written by a programmer for everybody to read.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that something failed in a way that telemetry may name: the
 * message is a fixed phrase and holds nothing of the user's.
 *
 * **Gotchas**
 *
 * A message that does not look like a fixed phrase, such as one with a path in
 * it, is not sent: the error counts as `Error`.
 *
 * @category errors
 * @since 0.1.0
 */
export class TelemetrySafeError extends Schema.TaggedError<TelemetrySafeError>()("TelemetrySafeError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
