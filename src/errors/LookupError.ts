/**
 * Failures of stage 1.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallState } from "./CallState.ts"

/**
 * Error indicating that no tool has the name that was asked for. `nearest` are
 * the names most like it.
 *
 * @category errors
 * @since 0.1.0
 */
export class ToolNotFound extends Schema.TaggedError<ToolNotFound>()("ToolNotFound", {
  call: CallState,
  nearest: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const hint = this.nearest.length === 0
      ? ""
      : `, the nearest are ${this.nearest.map((name) => `\`${name}\``).join(", ")}`
    return `no tool is named \`${this.call.use.name}\`${hint}`
  }
}

/**
 * Schema for every failure of the lookup stage.
 *
 * @category errors
 * @since 0.1.0
 */
export const LookupError = Schema.Union([ToolNotFound])

/**
 * @category errors
 * @since 0.1.0
 */
export type LookupError = typeof LookupError.Type
