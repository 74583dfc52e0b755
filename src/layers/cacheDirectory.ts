/**
 * Where the command keeps what it can make again.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/**
 * The cache directory: in `XDG_CACHE_HOME` where that is absolute, else in the
 * place where the platform keeps such things. Nothing is created.
 *
 * **Gotchas**
 *
 * What is compiled there runs the next time that the command starts, so that no
 * tool may change it.
 *
 * @category getters
 * @since 0.1.0
 */
export const cacheDirectory = (): string => {
  const { XDG_CACHE_HOME: chosen = "" } = process.env
  if (isAbsolute(chosen)) return join(chosen, "toolgate")
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "toolgate")
}
