/**
 * What the shared flags say about a call: where it belongs and what is in force
 * for it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import * as path from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import { defaultSession } from "../layers/SessionStore.ts"
import { Misused } from "./Ended.ts"
import type { Shared } from "./root.ts"

/**
 * The context of a call on the command line.
 *
 * **Details**
 *
 * Paths are meant from where the command was typed, whatever `--cwd` says.
 *
 * @category constructors
 * @since 0.1.0
 */
export const context = Effect.fnUntraced(function*(shared: Shared): Effect.fn.Return<CallContext, Misused> {
  yield* ownHome
  // A directory has one session, by whichever link it was entered.
  const cwd = realpathSync(Option.getOrElse(shared.cwd, () => process.cwd()))
  const session = Option.getOrElse(shared.session, () => defaultSession(cwd))
  if (session === "") return yield* new Misused({ problem: "`--session` needs a name" })
  return {
    session,
    cwd,
    directories: shared.addDir,
    ...(Option.isSome(shared.mode) ? { mode: shared.mode.value } : {})
  }
})

/** INVARIANT: what is in the home is the user's own, so that no folder where a command starts, such as a clone, is one. */
const ownHome: Effect.Effect<void, Misused> = Effect.suspend(() =>
  path.isAbsolute(homedir())
    ? Effect.void
    : Effect.fail(new Misused({ problem: `\`HOME\` is \`${homedir()}\`, set it to an absolute path or unset it` }))
)

/**
 * The settings that `--settings` names, if it does: JSON as it is, a file by its
 * absolute path.
 *
 * @category getters
 * @since 0.1.0
 */
export const settings = (shared: Shared): Effect.Effect<string | undefined, Misused> =>
  Option.isNone(shared.settings)
    ? Effect.undefined
    : fileOrJson(shared.settings.value, "--settings", "the settings file")

/**
 * The configurations that `--mcp-config` names: JSON as it is, files by their
 * absolute paths.
 *
 * @category getters
 * @since 0.1.0
 */
export const mcpConfigs = (shared: Shared): Effect.Effect<ReadonlyArray<string>, Misused> =>
  Effect.forEach(shared.mcpConfig, (given) => fileOrJson(given, "--mcp-config", "the file of MCP servers"))

const fileOrJson = Effect.fnUntraced(function*(
  given: string,
  flag: string,
  what: string
): Effect.fn.Return<string, Misused> {
  if (given.trimStart().startsWith("{")) return given
  const file = path.resolve(given)
  const found = yield* Effect.try({
    try: () => {
      accessSync(file, constants.R_OK)
      return statSync(file)
    },
    catch: () => new Misused({ problem: `${what} \`${file}\` is not there or can't be read` })
  })
  return found.isDirectory()
    ? yield* new Misused({ problem: `\`${file}\` is a folder, \`${flag}\` wants a file` })
    : file
})

/**
 * The form of output that the flags ask for.
 *
 * @category getters
 * @since 0.1.0
 */
export const form = (shared: Shared): "text" | "json" | "stream-json" =>
  shared.json && shared.output === "text" ? "json" : shared.output
