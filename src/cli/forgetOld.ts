/**
 * Takes away what earlier versions of the command left in its cache folder.
 *
 * @since 0.1.0
 */
import { lstatSync, readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * Takes away the compiled code beside a new one that nothing was added to for
 * thirty days.
 *
 * **Details**
 *
 * Nobody is asked whether its version is still there: one that is makes it again
 * in its next runs, and versions that take turns leave what is new to each other.
 * Whoever runs with it has read all of it.
 *
 * @category running
 * @since 0.1.0
 */
export const forgetOld = (kept: string): void => {
  const folder = dirname(kept)
  const before = Date.now() - thirtyDays
  for (const name of readdirSync(folder)) {
    if (!ours.test(name)) continue
    const file = join(folder, name)
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found?.isFile() === true && found.mtimeMs < before) rmSync(file, { force: true })
  }
}

const thirtyDays = 30 * 24 * 60 * 60 * 1000

/** Also what was left unfinished. Node's own cache is in the same folder. */
const ours = /^plain-[\w-]+\.cjs\./
