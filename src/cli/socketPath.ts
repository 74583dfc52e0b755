/**
 * Where the server listens when nobody says otherwise.
 *
 * @since 0.1.0
 */
import { isAbsolute, join } from "node:path"
import { stateDirectory } from "../layers/stateDirectory.ts"

/**
 * The path of the socket: in the folder that the system keeps for such things,
 * else in the state directory.
 *
 * @category getters
 * @since 0.1.0
 */
export const socketPath = (): string => {
  const { XDG_RUNTIME_DIR: chosen = "" } = process.env
  return join(isAbsolute(chosen) ? chosen : stateDirectory(), "toolgate.sock")
}
