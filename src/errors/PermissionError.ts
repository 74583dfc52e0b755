/**
 * Failures of stage 4.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decider } from "../domain/Decision.ts"
import { CallState } from "./CallState.ts"

/**
 * Error indicating that a call may not run.
 *
 * **Details**
 *
 * `by` is the kind of decider; `reason` what a person, a hook or a tool gave as
 * their reason, for the model to read; `detail` says more to whoever owns the
 * policy, and is never told to the model; `guidance` is there after repeated
 * denials; `endsTurn` why the whole turn ends, where a hook said that it does.
 *
 * @category errors
 * @since 0.1.0
 */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  call: CallState,
  by: Decider,
  reason: Schema.optionalKey(Schema.String),
  detail: Schema.String,
  guidance: Schema.optionalKey(Schema.String),
  endsTurn: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return `\`${this.call.tool ?? this.call.use.name}\` may not run: ${this.detail}`
  }
}

/**
 * Schema for every failure of the permission stage.
 *
 * @category errors
 * @since 0.1.0
 */
export const PermissionError = Schema.Union([PermissionDenied])

/**
 * @category errors
 * @since 0.1.0
 */
export type PermissionError = typeof PermissionError.Type
