/**
 * Keeps what V8 compiled from one start to the next: half of a short command's
 * time would go into compiling.
 *
 * @since 0.1.0
 */
import { mkdirSync, realpathSync } from "node:fs"
import { constants, enableCompileCache, getCompileCacheDir } from "node:module"
import { homedir } from "node:os"
import * as path from "node:path"
import { nearestFolder, whyNotOwn } from "./ownFolder.ts"

/**
 * Uses the cache in the user's own cache folder, and none where that can't be
 * had. `NODE_DISABLE_COMPILE_CACHE=1` switches it off. Gives the folder within it
 * that belongs to this version of Node, if it is used.
 *
 * **Gotchas**
 *
 * INVARIANT: what is in the cache runs, so that nobody else may write there.
 *
 * @category running
 * @since 0.1.0
 */
export const useCompileCache = (): string | undefined => {
  try {
    const folder = cacheFolder()
    // Checked before as well, so that nothing is left in a folder that turns out to be another's.
    if (whyNotOwn(nearestFolder(folder)) !== undefined) return undefined
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const real = realpathSync(folder)
    if (whyNotOwn(real) !== undefined) return undefined
    const { status } = enableCompileCache(real)
    return status === constants.compileCacheStatus.ENABLED ? getCompileCacheDir() : undefined
  } catch {
    // A read-only home is no reason to fail: it is only slower.
    return undefined
  }
}

const cacheFolder = (): string => {
  const { XDG_CACHE_HOME: chosen = "" } = process.env
  if (path.isAbsolute(chosen)) return path.join(chosen, "toolgate", "compiled")
  return path.join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "toolgate", "compiled")
}
