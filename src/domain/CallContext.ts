/**
 * Where a call belongs: one server may serve many sessions, directories and
 * people, so that nothing of this is global.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for the permission modes. `auto` is the default mode with the
 * classifier awaited before anybody is asked.
 *
 * @category models
 * @since 0.1.0
 */
export const PermissionMode = Schema.Literals([
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions"
])

/**
 * @category models
 * @since 0.1.0
 */
export type PermissionMode = typeof PermissionMode.Type

/**
 * Schema for the context of one call.
 *
 * **Details**
 *
 * `cwd` is an absolute path. `mode` left out means the mode that the settings
 * in force name. `directories` are working directories beside `cwd`, as
 * absolute paths. `standing` is the folder that the session's shell stands in,
 * where it is another than `cwd`; the session remembers it.
 *
 * @category models
 * @since 0.1.0
 */
export const CallContext = Schema.Struct({
  session: Schema.NonEmptyString,
  cwd: Schema.NonEmptyString,
  mode: Schema.optionalKey(PermissionMode),
  user: Schema.optionalKey(Schema.String),
  directories: Schema.Array(Schema.String),
  standing: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CallContext = typeof CallContext.Type
