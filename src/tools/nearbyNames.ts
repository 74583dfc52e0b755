/**
 * Help for a path that leads nowhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { readdir, readlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { nearest } from "../domain/nearest.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { fileStep } from "./fileStep.ts"
import { quoted } from "./quoted.ts"

/**
 * The failure of a path that does not exist, with the names beside it that may
 * have been meant. Names that the call may not read are not told.
 *
 * @category errors
 * @since 0.1.0
 */
export const notFound = Effect.fnUntraced(function*(options: {
  readonly path: string
  readonly shown: string
  readonly mayRead: (path: string) => Effect.Effect<boolean>
}): Effect.fn.Return<ToolFailed> {
  const { mayRead, path, shown } = options
  const folder = dirname(path)
  const entries = yield* Effect.option(fileStep(() => readdir(folder)))
  if (entries._tag === "None") {
    return new ToolFailed({ reason: `${quoted(shown)} does not exist, nor does its folder` })
  }
  const link = yield* Effect.option(fileStep(() => readlink(path)))
  if (link._tag === "Some") {
    return new ToolFailed({ reason: `${quoted(shown)} is a link to ${quoted(link.value)}, which does not exist` })
  }
  const name = basename(path)
  const stem = (entry: string) => entry.replace(/\.[^.]+$/, "").toLowerCase()
  const sameStem = entries.value.filter((entry) => stem(entry) === stem(name)).slice(0, 3)
  const candidates = [...new Set([...nearest(name, entries.value.slice(0, 5_000)), ...sameStem])].slice(0, 3)
  const open = yield* Effect.filter(candidates, (entry) => mayRead(join(folder, entry)))
  const hint = open.length === 0 ? "" : `; beside it there is ${open.map(quoted).join(", ")}`
  return new ToolFailed({ reason: `${quoted(shown)} does not exist${hint}` })
})
