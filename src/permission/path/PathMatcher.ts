/**
 * A path rule made ready to be held against many paths.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"

/**
 * A path rule made ready.
 *
 * **Details**
 *
 * `folders` are the folders that the pattern is anchored at; nothing outside
 * them is ever matched. `matches` takes what of a path lies below one of them,
 * empty for the folder itself; `pattern` is what it holds that against, beginning
 * with a slash. `prefix` are the names that the pattern begins
 * with before its first gap, undefined when it may match at any depth.
 *
 * @category models
 * @since 0.1.0
 */
export interface PathMatcher {
  readonly folders: ReadonlyArray<string>
  readonly matches: (relative: string) => boolean
  readonly pattern: string
  readonly prefix: ReadonlyArray<string> | undefined
  readonly place: Place
}
