/** The built command, for what is measured as a process of its own. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"

export const built = (): string => {
  if (!existsSync("dist/cli/start.cjs")) throw new Error("there is no built command, run `npm run build` first")
  return resolve("bin/toolgate.cjs")
}
