/**
 * The union of everything that ends a call before its tool has run. `emit`
 * renders each of them; one that nobody renders does not compile.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CallState } from "./CallState.ts"
import { LookupError } from "./LookupError.ts"
import { PermissionError } from "./PermissionError.ts"
import { ValidateError } from "./ValidateError.ts"

/**
 * Error indicating that a call was cancelled before it was done: `cancelled` by
 * whoever asked for it, `interrupted` by a person at the terminal.
 * `output` is what its tool had to show by then, `storedAt` the file with all of
 * it.
 *
 * @category errors
 * @since 0.1.0
 */
export class CallStopped extends Schema.TaggedError<CallStopped>()("CallStopped", {
  call: CallState,
  how: Schema.Literals(["cancelled", "interrupted"]),
  output: Schema.optionalKey(Schema.String),
  storedAt: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return `the call was ${this.how}`
  }
}

/**
 * Error indicating a fault of our own. `id` finds it in the log.
 *
 * @category errors
 * @since 0.1.0
 */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {
  call: CallState,
  id: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `internal error ${this.id}`
  }
}

/**
 * Schema for every failure that ends a call without a settled tool.
 *
 * @category errors
 * @since 0.1.0
 */
export const CallError = Schema.Union([
  LookupError,
  ValidateError,
  PermissionError,
  CallStopped,
  InternalError
])

/**
 * @category errors
 * @since 0.1.0
 */
export type CallError = typeof CallError.Type
