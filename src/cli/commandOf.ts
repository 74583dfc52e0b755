/**
 * The command file that `--command` names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { readFileSync, statSync } from "node:fs"
import * as path from "node:path"
import { decodeText } from "../layers/settings/decodeText.ts"
import type { Settings } from "../layers/settings/Settings.ts"
import { Misused } from "./Ended.ts"
import { line } from "./line.ts"
import * as write from "./write.ts"

/**
 * Reads a command file for a call in `cwd`. A file that can't be read is wrong
 * usage, since it may be what denies; one without frontmatter gives no rules, and
 * a line on standard error says so.
 *
 * @category reading
 * @since 0.1.0
 */
export const commandOf = Effect.fnUntraced(function*(
  given: string,
  cwd: string
): Effect.fn.Return<Settings | undefined, Misused> {
  const file = path.resolve(given)
  const text = yield* Effect.try({
    try: () => textOf(file),
    catch: (cause) => new Misused({ problem: problem(file, cause) })
  })
  const { readCommandFile } = yield* Effect.promise(() => import("../layers/settings/commandFile.ts"))
  const read = readCommandFile(text, { source: "command", file, base: cwd, root: cwd })
  switch (read._tag) {
    case "Rules":
      return read.settings
    case "None":
      yield* write.err(
        line(`the command file \`${file}\` has no frontmatter between \`---\` lines, and gives no rules`)
      )
      return undefined
    case "Broken":
      return yield* new Misused({
        problem: `the command file \`${file}\` can't be used: line ${read.line}, column ${read.column}: ${read.reason}`
      })
  }
})

const maxBytes = 2 * 1024 * 1024

const textOf = (file: string): string => {
  const info = statSync(file)
  if (!info.isFile()) throw new Refused("is no regular file")
  if (info.size > maxBytes) throw new Refused("is larger than 2 MiB")
  const text = decodeText(readFileSync(file))
  if (text === undefined) throw new Refused("is not valid UTF-8")
  return text
}

class Refused extends Error {}

const problem = (file: string, cause: unknown): string => {
  if (cause instanceof Refused) return `the command file \`${file}\` ${cause.message}`
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  return `the command file \`${file}\` ${code === "ENOENT" || code === "ENOTDIR" ? "is not there" : "can't be read"}`
}
