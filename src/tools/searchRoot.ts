/**
 * The place that a search begins at.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { access, realpath, stat } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative } from "node:path"
import type { ToolContext } from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { fileFailed, fileStep } from "./fileStep.ts"
import { kernelFolders } from "./kernelFolders.ts"
import { notFound } from "./nearbyNames.ts"
import { refusal, refuseOthers } from "./openRegularFile.ts"
import { quoted } from "./quoted.ts"

/**
 * A place to search: ripgrep runs in `cwd` and looks at `operand` there, but for
 * the folders below that are `madeUp` by the kernel. `shownAs` is how a path that it
 * finds is told to the model, `realOf` where it really is.
 *
 * @category models
 * @since 0.1.0
 */
export interface SearchRoot {
  readonly cwd: string
  readonly operand: string
  readonly madeUp: ReadonlyArray<string>
  readonly shownAs: (found: string) => string
  readonly realOf: (found: string) => string
}

/**
 * Finds out where to search. `path` is absolute, `shown` as the model wrote it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const searchRoot = Effect.fnUntraced(function*(options: {
  readonly path: string
  readonly shown: string
  readonly folderOnly: boolean
  readonly context: ToolContext
}): Effect.fn.Return<SearchRoot, ToolFailed> {
  const { context, folderOnly, path, shown } = options
  const failed = fileFailed("searched", shown)
  const real = yield* fileStep(() => realpath(path)).pipe(
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.flatMap(notFound({ path, shown, mayRead: context.mayRead }), Effect.fail)
    ),
    Effect.catchTag("FileStepFailed", (error) => Effect.fail(failed(error)))
  )
  const stats = yield* Effect.mapError(fileStep(() => stat(real)), failed)
  if (!(yield* context.mayRead(real))) return yield* refusal(shown)
  if (stats.isDirectory()) {
    yield* Effect.mapError(fileStep(() => access(real, constants.R_OK | constants.X_OK)), failed)
    return {
      cwd: real,
      operand: "./",
      madeUp: yield* kernelFolders(real),
      shownAs: (found) => shorten(join(path, found), context.call.cwd),
      realOf: (found) => join(real, found)
    }
  }
  if (folderOnly) return yield* new ToolFailed({ reason: `${quoted(shown)} is no folder` })
  yield* refuseOthers(stats, shown)
  return {
    cwd: dirname(real),
    operand: `./${basename(real)}`,
    madeUp: [],
    shownAs: () => shorten(path, context.call.cwd),
    realOf: () => real
  }
})

/** A path inside the working directory is told from there on. */
const shorten = (path: string, cwd: string): string => {
  const inside = relative(cwd, path)
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside
}
