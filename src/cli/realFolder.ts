/**
 * Folders that a question names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { realpathSync, statSync } from "node:fs"
import * as path from "node:path"
import { Misused } from "./Ended.ts"

/**
 * Returns where a folder really is. `what` is what it is called towards whoever
 * asks.
 *
 * @category reading
 * @since 0.1.0
 */
export const realFolder = (folder: string, what = ""): Effect.Effect<string, Misused> => {
  const problem = (why: string) => new Misused({ problem: `${what === "" ? "" : `${what} `}\`${folder}\` ${why}` })
  if (!path.isAbsolute(folder)) return Effect.fail(problem("has to be an absolute path"))
  return Effect.flatMap(
    Effect.try({
      try: () => {
        const real = realpathSync(folder)
        return statSync(real).isDirectory() ? real : undefined
      },
      catch: () => problem("is not there or can't be reached")
    }),
    (real) => real === undefined ? Effect.fail(problem("is no folder")) : Effect.succeed(real)
  )
}
