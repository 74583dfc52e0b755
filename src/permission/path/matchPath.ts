/**
 * Holds path rules against paths.
 *
 * @since 0.1.0
 */
import type { ResolvedPath } from "../../domain/ResolvedPath.ts"
import type { Behavior } from "../../domain/Rule.ts"
import { isOversized } from "./bounded.ts"
import { otherNames } from "./links.ts"
import { below, folded } from "./normalise.ts"
import type { PathMatcher } from "./PathMatcher.ts"

/**
 * Says whether a rule matches a path. An allow rule must match the path as
 * written and everything it leads to; for deny and ask rules any will do. A path
 * that no disk could bear counts as matched by the latter alone.
 *
 * @category matching
 * @since 0.1.0
 */
export const matchPath = (
  matcher: PathMatcher,
  { real, written }: Pick<ResolvedPath, "written" | "real">,
  behavior: Behavior
): boolean =>
  behavior === "allow"
    ? matchesOne(matcher, written, behavior) && real.every((path) => matchesOne(matcher, path, behavior))
    : matchesOne(matcher, written, behavior) || real.some((path) => matchesOne(matcher, path, behavior))

/**
 * Says whether a rule may match something below a folder, or the folder itself.
 * Where it does, a search of that folder has something to leave out.
 *
 * @category matching
 * @since 0.1.0
 */
export const coversFolder = (
  matcher: PathMatcher,
  { real, written }: Pick<ResolvedPath, "written" | "real">
): boolean => [written, ...real].some((path) => reaches(matcher, path))

const matchesOne = (matcher: PathMatcher, path: string, behavior: Behavior): boolean =>
  namesOf(matcher, path, behavior).some((name) =>
    matcher.folders.some((folder) => {
      const relative = relativeTo(name, folder)
      if (relative === undefined) return false
      return isOversized(relative) ? behavior !== "allow" : matcher.matches(relative)
    })
  )

const reaches = (matcher: PathMatcher, path: string): boolean =>
  namesOf(matcher, path, "deny").some((name) =>
    matcher.folders.some((folder) => {
      if (below(folder, name) !== undefined) return true
      const relative = relativeTo(name, folder)
      if (relative === undefined) return false
      if (matcher.prefix === undefined || isOversized(relative) || matcher.matches(relative)) return true
      const names = relative.split("/")
      return matcher.prefix.every((literal, index) => index >= names.length || literal === names[index])
    })
  )

const namesOf = ({ place }: PathMatcher, path: string, behavior: Behavior): ReadonlyArray<string> =>
  otherNames(folded(path, place), place, behavior === "allow" ? "system links" : "every link")

// Network paths begin with two slashes and lie below the root as well.
const relativeTo = (path: string, folder: string): string | undefined =>
  folder === "/" ? path.replace(/^\/+/, "") : below(path, folder)
