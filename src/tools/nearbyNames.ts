/**
 * Help for a path that leads nowhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { nearest } from "../domain/nearest.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { danglingLink } from "./danglingLink.ts"
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
  const dangling = yield* danglingLink(path, shown)
  if (dangling !== undefined) return new ToolFailed({ reason: dangling })
  const entries = yield* Effect.option(fileStep(() => readdir(folder)))
  if (entries._tag === "None") {
    return new ToolFailed({ reason: `${quoted(shown)} does not exist, nor does its folder` })
  }
  const name = basename(path)
  if (name.includes("\ufffd") && entries.value.includes(name)) {
    return new ToolFailed({
      reason: `the name of ${
        quoted(shown)
      } holds bytes that are no UTF-8, so that only Bash can reach it: rename it first`
    })
  }
  const stem = (entry: string) => entry.replace(/\.[^.]+$/, "").toLowerCase()
  const sameStem = entries.value.filter((entry) => stem(entry) === stem(name)).slice(0, 3)
  const candidates = [...new Set([...nearest(name, entries.value.slice(0, 5_000)), ...sameStem])].slice(0, 3)
  const open = yield* Effect.filter(candidates, (entry) => mayRead(join(folder, entry)))
  const hint = open.length === 0 ? "" : `; beside it there is ${open.map(quoted).join(", ")}`
  return new ToolFailed({ reason: `${quoted(shown)} does not exist${hint}` })
})
