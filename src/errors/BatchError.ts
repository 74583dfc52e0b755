/**
 * Failures of a batch before any of it has run.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a batch can't be answered block by block.
 *
 * **Details**
 *
 * - `twice`: two calls share the id.
 * - `type`: a block is no `tool_use`; `id` is its id when it has one, and `block`
 *   says what it is.
 * - `shape`: a `tool_use` block has no id or no name that can be used.
 *
 * @category errors
 * @since 0.1.0
 */
export class BatchRefused extends Schema.TaggedError<BatchRefused>()("BatchRefused", {
  id: Schema.String,
  reason: Schema.Literals(["twice", "type", "shape"]),
  at: Schema.optionalKey(Schema.Int),
  block: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const which = this.at === undefined ? "a block of the batch" : `block ${this.at + 1} of the batch`
    switch (this.reason) {
      case "twice":
        return `two calls of the batch have the id \`${this.id}\``
      case "type":
        return `${which} is ${this.block === undefined ? "no block at all" : `of the type \`${this.block}\``}, ` +
          "and only `tool_use` blocks can be run"
      case "shape":
        return `${which} is a \`tool_use\` without an id or a name`
    }
  }
}
