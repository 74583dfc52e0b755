/**
 * Keeps what V8 compiled from one start to the next: half of a short command's
 * time would go into compiling.
 *
 * @since 0.1.0
 */
import { mkdirSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { nearestFolder, whyNotOwn } from "./ownFolder.ts"

/**
 * The folder for what is compiled, in the user's own cache folder; none where
 * that can't be had, or where `NODE_DISABLE_COMPILE_CACHE` is set.
 *
 * **Gotchas**
 *
 * INVARIANT: what is in the folder runs, so that nobody else may write there.
 *
 * @category getters
 * @since 0.1.0
 */
export const compileCache = (): string | undefined => {
  if ((process.env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "") return undefined
  try {
    const folder = cacheFolder()
    // Below an empty or relative home it would be wherever the command was started.
    if (!isAbsolute(folder)) return undefined
    // Checked before as well, so that nothing is left in a folder that turns out to be another's.
    const nearest = nearestFolder(folder)
    if (whyNotOwn(nearest) !== undefined) return undefined
    if (nearest === folder) return folder
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const real = realpathSync(folder)
    return whyNotOwn(real) === undefined ? real : undefined
  } catch {
    // A read-only home is no reason to fail: it is only slower.
    return undefined
  }
}

// The same as `cacheDirectory` says, which is in the file that is loaded with what is kept there.
const cacheFolder = (): string => {
  const { XDG_CACHE_HOME: chosen = "" } = process.env
  if (isAbsolute(chosen)) return join(chosen, "toolgate", "compiled")
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "toolgate", "compiled")
}
