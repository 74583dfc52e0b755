/**
 * Folders whose real place matters for a decision.
 *
 * @since 0.1.0
 */
import type { Place } from "../domain/Place.ts"
import type { Policy } from "../domain/Policy.ts"
import { compilePath } from "./path/compilePath.ts"
import { indexOf } from "./RuleIndex.ts"

/**
 * Returns the working directories, and the folders and files that deny and ask
 * rules name before their first gap: if one of them is a link, the rule is about
 * what it leads to as well.
 *
 * @category getters
 * @since 0.1.0
 */
export const linkedFolders = (policy: Policy, place: Place): ReadonlyArray<string> => {
  const found = new Set([place.cwd, ...place.directories])
  for (const rule of indexOf(policy).restrictingPaths) {
    const matcher = compilePath(rule, place)
    for (const folder of matcher?.folders ?? []) {
      const prefix = matcher?.prefix ?? []
      found.add(prefix.length === 0 ? folder : `${folder === "/" ? "" : folder}/${prefix.join("/")}`)
    }
  }
  return [...found]
}
