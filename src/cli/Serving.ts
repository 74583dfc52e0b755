/**
 * Schemas of what goes over the server's socket, one object a line.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PermissionMode } from "../domain/CallContext.ts"
import { Decision } from "../domain/Decision.ts"
import { HookReply } from "./HookRequest.ts"
import { version } from "./Output.ts"

/**
 * Schema for a question. `id` comes back with the answer.
 *
 * **Details**
 *
 * Exactly one of `check` and `hook` is there. Of `check`, `cwd` is an absolute
 * path; the working directory, session and mode of the server count where none
 * is named, and `text` asks for the answer as a person reads it as well. `hook`
 * is what a PreToolUse hook reads; `project` the folder whose settings count for
 * it, where it is another than its `cwd`.
 *
 * @category models
 * @since 0.1.0
 */
export const ServeRequest = Schema.Struct({
  id: Schema.Union([Schema.String, Schema.Finite]),
  check: Schema.optionalKey(Schema.Struct({
    tool: Schema.NonEmptyString,
    input: Schema.Unknown,
    cwd: Schema.optionalKey(Schema.NonEmptyString),
    session: Schema.optionalKey(Schema.NonEmptyString),
    mode: Schema.optionalKey(PermissionMode),
    directories: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
    text: Schema.optionalKey(Schema.Boolean)
  })),
  hook: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  project: Schema.optionalKey(Schema.NonEmptyString)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ServeRequest = typeof ServeRequest.Type

const head = {
  version: Schema.Literal(version),
  id: Schema.Union([Schema.String, Schema.Finite, Schema.Null])
}

/**
 * Schema for an answer. `id` is null where the question could not be read so far.
 *
 * @category models
 * @since 0.1.0
 */
export const ServeReply = Schema.Union([
  Schema.Struct({ ...head, decision: Decision, text: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ ...head, hook: HookReply }),
  Schema.Struct({ ...head, error: Schema.String })
])

/**
 * @category models
 * @since 0.1.0
 */
export type ServeReply = typeof ServeReply.Type
