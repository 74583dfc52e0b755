/**
 * Folders in which nobody but the user, or root, can put anything.
 *
 * @since 0.1.0
 */
import { lstatSync, realpathSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Says why others could put something else into a folder or in its place, or
 * nothing where they can't. `folder` is absolute and leads through no link.
 *
 * **Details**
 *
 * Every folder on the way has to belong to the user or to root, and be writable
 * to nobody else unless its sticky bit keeps others from renaming what is in it.
 * The folder itself has to be the user's, sticky or not. Where there are no user
 * ids nothing is known, which is a reason too.
 *
 * @category getters
 * @since 0.1.0
 */
export const whyNotOwn = (folder: string): string | undefined => {
  const user = process.getuid?.()
  if (user === undefined) return "belongs to nobody that this system could name"
  for (let current = folder;; current = dirname(current)) {
    const info = lstatSync(current)
    const named = current === folder ? "" : `lies in \`${current}\`, which `
    if (!info.isDirectory()) return `${named}is no folder`
    if (info.uid !== user && (current === folder || info.uid !== 0)) return `${named}belongs to somebody else`
    const sticky = current !== folder && (info.mode & 0o1000) !== 0
    if ((info.mode & 0o022) !== 0 && !sticky) return `${named}others may write to`
    if (current === dirname(current)) return undefined
  }
}

/**
 * The nearest folder on the way to a path that is there, by its real path.
 *
 * @category getters
 * @since 0.1.0
 */
export const nearestFolder = (file: string): string => {
  for (let current = file;; current = dirname(current)) {
    try {
      return realpathSync(current)
    } catch (cause) {
      if (current === dirname(current)) throw cause
    }
  }
}
