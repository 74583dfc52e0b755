/**
 * What a case has put into its result store.
 *
 * @since 0.1.0
 */
import { readdirSync, statSync } from "node:fs"
import type { Root } from "./Root.ts"

/**
 * The files of results, as the case would write their paths, with their sizes.
 *
 * @category searching
 * @since 0.1.0
 */
export const storedFiles = (root: Root): ReadonlyArray<{ readonly path: string; readonly size: number }> => {
  try {
    return readdirSync(root.state, { recursive: true, encoding: "utf8" })
      .filter((name) => name.includes("/results/"))
      .map((name) => ({ path: root.told(`${root.state}/${name}`), size: statSync(`${root.state}/${name}`).size }))
  } catch {
    return []
  }
}
