/**
 * Failures of stage 2, also met again in stage 3 when a hook rewrote the input.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InputIssue, issueText } from "../domain/decodeInput.ts"
import { CallState } from "./CallState.ts"

/**
 * Error indicating that an input does not have the shape its tool wants, with
 * everything that is wrong with it. `schema` is the part of the tool's JSON
 * Schema that explains the fields in question; `rewritten` says that a hook put
 * this input in the place of the model's.
 *
 * @category errors
 * @since 0.1.0
 */
export class InputInvalid extends Schema.TaggedError<InputInvalid>()("InputInvalid", {
  call: CallState,
  issues: Schema.Array(InputIssue),
  schema: Schema.Unknown,
  rewritten: Schema.optionalKey(Schema.Boolean)
}) {
  override get message(): string {
    const issues = this.issues.map((issue) => issue.path === "" ? `the input: ${issueText(issue)}` : issueText(issue))
    const input = this.rewritten === true ? "the input that a hook wrote for" : "the input of"
    return `${input} \`${this.call.tool ?? this.call.use.name}\` is not valid: ${issues.join("; ")}`
  }
}

/**
 * Error indicating that a tool refuses an input of the right shape. `reason` and
 * `code` are the tool's own.
 *
 * @category errors
 * @since 0.1.0
 */
export class InputRefused extends Schema.TaggedError<InputRefused>()("InputRefused", {
  call: CallState,
  reason: Schema.String,
  code: Schema.Int
}) {
  override get message(): string {
    return this.reason
  }
}

/**
 * Schema for every failure of the validate stage.
 *
 * @category errors
 * @since 0.1.0
 */
export const ValidateError = Schema.Union([InputInvalid, InputRefused])

/**
 * @category errors
 * @since 0.1.0
 */
export type ValidateError = typeof ValidateError.Type
