/**
 * Where Toolgate keeps what it must remember: sessions, results, trust.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"

/**
 * What decides where the state directory is.
 *
 * @category options
 * @since 0.1.0
 */
export interface Surroundings {
  readonly env: { readonly [name: string]: string | undefined }
  readonly home: string
  readonly platform: string
}

/**
 * The state directory: `TOOLGATE_STATE_DIR`, else the place where the platform
 * keeps such things. Nothing is created: that is done by whoever writes.
 *
 * **Details**
 *
 * A relative path in a variable is ignored, as the rules for `XDG_STATE_HOME`
 * have it: what a session remembers can't depend on where it was started.
 *
 * @category getters
 * @since 0.1.0
 */
export const stateDirectory = (
  { env, home, platform }: Surroundings = { env: process.env, home: homedir(), platform: process.platform }
): string => {
  const chosen = absolute(env["TOOLGATE_STATE_DIR"], platform)
  if (chosen !== undefined) return chosen
  if (platform === "win32") return `${absolute(env["LOCALAPPDATA"], platform) ?? `${home}\\AppData\\Local`}\\toolgate`
  const xdg = absolute(env["XDG_STATE_HOME"], platform)
  if (xdg !== undefined) return `${xdg.replace(/\/+$/, "")}/toolgate`
  return platform === "darwin" ? `${home}/Library/Application Support/toolgate` : `${home}/.local/state/toolgate`
}

const absolute = (path: string | undefined, platform: string): string | undefined => {
  if (path === undefined) return undefined
  return (platform === "win32" ? /^(?:[a-zA-Z]:[\\/]|\\\\)/ : /^\//).test(path) ? path : undefined
}
