/**
 * What a session remembers from one call to the next.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for what a session has seen of a file.
 *
 * @category models
 * @since 0.1.0
 */
export const FileState = Schema.Struct({
  mtimeMillis: Schema.Finite,
  size: Schema.Finite,
  hash: Schema.String,
  whole: Schema.Boolean
})

/**
 * @category models
 * @since 0.1.0
 */
export type FileState = typeof FileState.Type

/**
 * Schema for a session's memory of everything but files.
 *
 * **Details**
 *
 * - `rules`: rules granted for this session, as text.
 * - `streaks`: denials in a row by key; `streak`: in the whole session.
 * - `standing`: where the shell stands, by the working directory it began in.
 * - `hooks`: the hooks that were to run once and did.
 *
 * @category models
 * @since 0.1.0
 */
export const SessionState = Schema.Struct({
  rules: Schema.Struct({
    allow: Schema.Array(Schema.String),
    ask: Schema.Array(Schema.String),
    deny: Schema.Array(Schema.String)
  }),
  streaks: Schema.Record(Schema.String, Schema.Int),
  streak: Schema.Int,
  standing: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  hooks: Schema.optionalKey(Schema.Array(Schema.String))
})

/**
 * @category models
 * @since 0.1.0
 */
export type SessionState = typeof SessionState.Type

/**
 * The memory of a session that has just begun.
 *
 * @category constants
 * @since 0.1.0
 */
export const empty: SessionState = {
  rules: { allow: [], ask: [], deny: [] },
  streaks: {},
  streak: 0
}
