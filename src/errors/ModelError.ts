/**
 * Failures of asking a model.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Error indicating that a model could not be heard to the end.
 *
 * **Details**
 *
 * - `busy`: it has too much to do, or a fault of its own, and says so.
 * - `unreachable`: there was no connection.
 * - `cut`: the answer broke off.
 * - `silent`: the answer stayed open, and nothing came.
 * - `unreadable`: what came is no answer.
 * - `refused`: the request can't be answered, whoever asks how often.
 *
 * `retryable` says whether asking once more may help; `retryAfterMillis` when,
 * where the model said so.
 *
 * @category errors
 * @since 0.1.0
 */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  reason: Schema.Literals(["busy", "unreachable", "cut", "silent", "unreadable", "refused"]),
  detail: Schema.optionalKey(Schema.String),
  retryable: Schema.Boolean,
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
}) {
  override get message(): string {
    return `${said[this.reason]}${this.detail === undefined ? "" : `: ${this.detail}`}`
  }
}

const said: { readonly [reason in ModelFailed["reason"]]: string } = {
  busy: "the model is busy",
  unreachable: "the model can't be reached",
  cut: "the model's answer broke off",
  silent: "the model fell silent",
  unreadable: "the model's answer can't be read",
  refused: "the model can't be asked"
}
