/**
 * A path and what it really leads to.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a path whose links were followed.
 *
 * **Details**
 *
 * `written` is the absolute path as asked for, `.` and `..` taken out by name
 * alone. `real` holds every other path that opening it may lead to, links
 * followed on every component including the last, the parts that do not exist
 * kept; empty when that is the same as `written`. `problem` says why it could
 * not be followed (a loop of links): such a path is never allowed.
 *
 * @category models
 * @since 0.1.0
 */
export const ResolvedPath = Schema.Struct({
  written: Schema.String,
  real: Schema.Array(Schema.String),
  kind: Schema.Literals(["file", "directory", "other", "missing"]),
  problem: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ResolvedPath = typeof ResolvedPath.Type
