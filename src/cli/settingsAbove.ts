/**
 * Settings that somebody may believe to be in force.
 *
 * @since 0.1.0
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * The nearest project settings of a folder above, where the working directory has
 * none itself: they don't count, deny rules neither. The user's own, in `home`, do.
 *
 * @category searching
 * @since 0.1.0
 */
export const settingsAbove = (cwd: string, home: string): string | undefined => {
  for (let folder = cwd;; folder = dirname(folder)) {
    const file = join(folder, ".claude", "settings.json")
    if (folder !== home && existsSync(file)) return folder === cwd ? undefined : file
    if (dirname(folder) === folder) return undefined
  }
}
