/**
 * Where a path that somebody wrote begins.
 *
 * @since 0.1.0
 */
import type { Place } from "../domain/Place.ts"
import { normalise } from "./path/normalise.ts"

/**
 * Returns an absolute path for a path as written, or undefined for one that no
 * system has (a NUL in it).
 *
 * **Details**
 *
 * `.` and `..` stay: what they mean depends on the links before them, which
 * whoever follows the path finds out. `directory` is where a shell stands,
 * relative to the working directory. `tilde` says whether a leading `~` means
 * the home directory.
 *
 * @category constructors
 * @since 0.1.0
 */
export const absolute = (path: string, place: Place, directory = ".", tilde = true): string | undefined => {
  if (path.includes("\u0000")) return undefined
  const named = path.startsWith("~") && !tilde ? `./${path}` : path
  if (place.platform === "win32" || named === "") return normalise(named, place)
  if (named === "~" || named.startsWith("~/")) return `${place.home}${named.slice(1)}`
  if (named.startsWith("/")) return named
  const base = directory === "." ? place.cwd : absolute(directory, place)
  return base === undefined ? undefined : `${base.replace(/\/$/, "")}/${named}`
}
