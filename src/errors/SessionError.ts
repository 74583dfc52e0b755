/**
 * Failures of what a session remembers and what settings keep.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that something could not be read from or written to where it
 * is kept. `path` says where, `reason` what went wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class StoreFailed extends Schema.TaggedError<StoreFailed>()("StoreFailed", {
  path: Schema.String,
  reason: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `\`${this.path}\` ${this.reason}`
  }
}
