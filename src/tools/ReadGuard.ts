/**
 * Keeps what a search finds from showing what the call may not read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { realpath } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { ToolContext } from "../domain/Tool.ts"
import { fileStep } from "./fileStep.ts"
import type { SearchRoot } from "./searchRoot.ts"

/**
 * Judges the files that a search finds.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReadGuard {
  /** Whether a found path may be shown, by the place where it really is. */
  readonly open: (found: string) => Effect.Effect<boolean>
  /** How many files were left out. */
  readonly leftOut: () => number
}

/**
 * Makes a guard for one search. The last folder and file are remembered, since
 * what is found comes file by file.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (root: SearchRoot, context: ToolContext): ReadGuard => {
  let count = 0
  let lastFolder = ""
  let lastReal: string | undefined
  let lastFile = ""
  let lastOpen = false

  const folderOf = (path: string): Effect.Effect<string | undefined> => {
    const folder = dirname(path)
    if (folder === lastFolder) return Effect.succeed(lastReal)
    return Effect.map(Effect.option(fileStep(() => realpath(folder))), (real) => {
      lastFolder = folder
      lastReal = real._tag === "Some" ? real.value : undefined
      return lastReal
    })
  }

  const judge = Effect.fnUntraced(function*(found: string): Effect.fn.Return<boolean> {
    const path = root.realOf(found)
    const folder = yield* folderOf(path)
    if (folder === undefined) return false
    return yield* context.mayRead(join(folder, basename(path)))
  })

  return {
    open: (found) =>
      found === lastFile ? Effect.succeed(lastOpen) : Effect.map(judge(found), (open) => {
        lastFile = found
        lastOpen = open
        if (!open) count += 1
        return open
      }),
    leftOut: () => count
  }
}

/**
 * Says that something was left out, if it was.
 *
 * @category rendering
 * @since 0.1.0
 */
export const leftOutNotice = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [`${count === 1 ? "1 file was" : `${count} files were`} left out that the rules do not open to this call`]
