/**
 * Which paths lie in the working directories.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { ResolvedPath } from "../../domain/ResolvedPath.ts"
import { otherNames, withTargets } from "./links.ts"
import { below, folded, normalise } from "./normalise.ts"

/**
 * Says whether a path, and everything it leads to, lies in the working
 * directory or in one that was added to it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const inside = ({ real, written }: Pick<ResolvedPath, "written" | "real">, place: Place): boolean => {
  const folders = workingFolders(place)
  return [written, ...real].every((path) =>
    otherNames(folded(path, place), place, "system links").some((name) =>
      folders.some((folder) => below(name, folder) !== undefined)
    )
  )
}

/**
 * Returns the working directories in the form that paths are compared in.
 *
 * @category getters
 * @since 0.1.0
 */
export const workingFolders = (place: Place): ReadonlyArray<string> => {
  const known = cache.get(place)
  if (known !== undefined) return known
  const folders = [place.cwd, ...place.directories].flatMap((folder) => {
    const path = normalise(folder, place)
    return path === undefined ? [] : [folded(path, place)]
  })
  const all = withTargets(folders, place)
  cache.set(place, all)
  return all
}

const cache = new WeakMap<Place, ReadonlyArray<string>>()
