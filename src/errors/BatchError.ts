/**
 * Failures of a batch before any of it has run.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a batch can't be answered block by block: two calls
 * share an id.
 *
 * @category errors
 * @since 0.1.0
 */
export class BatchRefused extends Schema.TaggedError<BatchRefused>()("BatchRefused", {
  id: Schema.String
}) {
  override get message(): string {
    return `two calls of the batch have the id \`${this.id}\``
  }
}
