/**
 * Changes and lists trust for `toolgate trust`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { realpathSync, statSync } from "node:fs"
import * as path from "node:path"
import { visible } from "../layers/approver/visible.ts"
import { Trust } from "../services/Trust.ts"
import { broughtBy } from "./broughtBy.ts"
import { Ended, Misused } from "./Ended.ts"
import { gate } from "./gate.ts"
import { line, oneLine } from "./line.ts"
import { type TrustOutput, version } from "./Output.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * What was given on the command line.
 *
 * @category models
 * @since 0.1.0
 */
export interface TrustGiven {
  readonly directory: Option.Option<string>
  readonly untrust: boolean
  readonly list: boolean
}

/**
 * Trusts a folder, ends its trust, or lists what is trusted.
 *
 * @category commands
 * @since 0.1.0
 */
export const changeTrust = Effect.fn("cli.trust")(function*(given: TrustGiven, shared: Shared) {
  const { list, untrust } = given
  if (list && (untrust || Option.isSome(given.directory))) {
    return yield* new Misused({ problem: "`--list` lists every trusted folder, leave DIR and `--untrust` out" })
  }
  // As of a variable that nobody set: the folder that one is in was not meant.
  if (Option.contains(given.directory, "")) return yield* new Misused({ problem: "DIR is empty, name a folder" })
  const { cwd } = yield* Surroundings.context(shared)
  const directory = path.resolve(Option.getOrElse(given.directory, () => cwd))
  // A folder that is gone may still be trusted, and that has to end somehow.
  if (!list && !untrust && statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return yield* new Misused({ problem: `\`${directory}\` is no folder, name one that is there` })
  }
  const { lines, servers } = list || untrust
    ? { lines: [], servers: [] }
    : yield* broughtBy(shared, realpathSync(directory))
  if (Surroundings.form(shared) === "text" && lines.length > 0) {
    yield* write.out(
      `what its settings bring:\n${lines.map((brought) => `  ${visible(brought).replaceAll("\n", "\\n")}\n`).join("")}`
    )
  }
  const layer = yield* gate(shared)
  yield* Effect.gen(function*() {
    const trust = yield* Trust
    const done = list
      ? { changed: false, text: "" }
      : untrust
      ? yield* Effect.map(trust.untrust(directory), (had) => ({
        changed: had,
        text: had ? `${oneLine(directory)} is no longer trusted\n` : `${oneLine(directory)} had no trust of its own\n`
      }))
      : yield* Effect.map(trust.trust(directory, servers), (real) => ({
        changed: true,
        text:
          `${oneLine(real)} is trusted: what its settings bring counts from now on, and so does what is changed or ` +
          "added there later, but for MCP servers\n"
      }))
    const trusted = yield* trust.list
    if (Surroundings.form(shared) === "text") {
      return yield* write.out(list ? trusted.map((folder) => `${oneLine(folder)}\n`).join("") : done.text)
    }
    const output: TrustOutput = {
      version,
      ...(list ? {} : { directory }),
      changed: done.changed,
      trusted,
      ...(list || untrust ? {} : { brings: lines })
    }
    return yield* write.json(output)
  }).pipe(
    Effect.catchTag(
      "StoreFailed",
      (error) => Effect.andThen(write.err(line(error.message)), Effect.fail(new Ended({ code: 1 })))
    ),
    Effect.provide(layer)
  )
})
