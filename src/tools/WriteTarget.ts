/**
 * The place that a file is written to: held by an open folder, so that nothing
 * that is swapped on the way there afterwards leads elsewhere.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { constants, lstatSync } from "node:fs"
import { access, type FileHandle, lstat, readlink, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { danglingLink } from "./danglingLink.ts"
import { fileFailed, fileLook, fileStep, FileStepFailed } from "./fileStep.ts"
import { missing, opened, type OpenedFile, openRegularFile, realPathOf, refusal } from "./openRegularFile.ts"
import { quoted } from "./quoted.ts"

/**
 * A folder and how to name what is in it.
 *
 * **Details**
 *
 * On Linux a name is reached through the open descriptor, elsewhere through the
 * folder's real path.
 *
 * @category models
 * @since 0.1.0
 */
export interface Folder {
  readonly real: string
  readonly handle: FileHandle
  readonly at: (name: string) => string
}

/**
 * Where a file is, or will be.
 *
 * **Details**
 *
 * - `existing`: the file that is there already.
 * - `linked`: the path that was asked for is a link to it.
 * - `folder`: the nearest folder that exists; `missing` are those to be made
 *   beneath it.
 *
 * @category models
 * @since 0.1.0
 */
export interface WriteTarget {
  readonly shown: string
  readonly real: string
  readonly name: string
  readonly existing: OpenedFile | undefined
  readonly linked: boolean
  readonly folder: Folder
  readonly missing: ReadonlyArray<string>
}

/**
 * Finds the place of a file, links followed, and asks whether it may be
 * written. Changes nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const find = Effect.fnUntraced(function*(options: {
  readonly path: string
  readonly shown: string
  readonly may: (path: string) => Effect.Effect<boolean>
}): Effect.fn.Return<WriteTarget, ToolFailed, Scope.Scope> {
  const { may, shown } = options
  const existing = yield* openRegularFile(options)
  if (existing !== undefined) {
    yield* Effect.mapError(fileStep(() => access(existing.real, constants.W_OK)), fileFailed("written", shown))
    const folder = yield* openFolder(dirname(existing.real), shown)
    const linked = yield* Effect.option(fileLook(() => lstatSync(options.path).isSymbolicLink()))
    return {
      shown,
      real: existing.real,
      name: basename(existing.real),
      existing,
      linked: linked._tag === "Some" && linked.value,
      folder,
      missing: []
    }
  }

  const path = yield* Effect.mapError(afterLinks(options.path), fileFailed("written", shown))
  const names: Array<string> = []
  let base = dirname(path)
  while ((yield* folderAt(base, shown)) === undefined) {
    names.unshift(basename(base))
    base = dirname(base)
  }
  const folder = yield* openFolder(base, shown)
  const name = basename(path)
  const real = join(folder.real, ...names, name)
  if (!(yield* may(real))) return yield* refusal(shown)
  return { shown, real, name, existing: undefined, linked: path !== options.path, folder, missing: names }
})

/**
 * Says where a file is that was reached by a link, and how many other names it
 * has, which what is put in its place will not have.
 *
 * @category getters
 * @since 0.1.0
 */
export const otherwise = (
  { existing, linked, real }: WriteTarget
): { readonly realPath?: string; readonly otherNames?: number } => ({
  ...(linked ? { realPath: real } : {}),
  ...(existing !== undefined && existing.stats.nlink > 1 ? { otherNames: existing.stats.nlink - 1 } : {})
})

/**
 * Opens a folder. `O_NOFOLLOW` is wanted for one that was just made.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openFolder = Effect.fnUntraced(function*(
  path: string,
  shown: string,
  flags = 0
): Effect.fn.Return<Folder, ToolFailed, Scope.Scope> {
  const handle = yield* opened(path, constants.O_RDONLY | constants.O_DIRECTORY | flags).pipe(
    Effect.mapError(fileFailed("written", shown))
  )
  const real = yield* realPathOf(handle.fd, path, shown)
  const at = process.platform === "linux"
    ? (name: string) => `/proc/self/fd/${handle.fd}/${name}`
    : (name: string) => join(real, name)
  return { real, handle, at }
})

const folderAt = Effect.fnUntraced(
  function*(path: string, shown: string): Effect.fn.Return<true | undefined, ToolFailed> {
    const found = yield* Effect.mapError(missing(fileStep(() => stat(path))), fileFailed("written", shown))
    if (found === undefined) {
      const dangling = yield* danglingLink(path, path)
      if (dangling === undefined) return undefined
      return yield* new ToolFailed({ reason: `${quoted(shown)} can't be written: ${dangling}` })
    }
    if (found.isDirectory()) return true
    return yield* new ToolFailed({ reason: `${quoted(shown)} can't be written: ${quoted(path)} is no folder` })
  }
)

/** Follows a link that leads to nothing yet, as opening it for writing would. */
const afterLinks = Effect.fnUntraced(function*(path: string): Effect.fn.Return<string, FileStepFailed> {
  let current = path
  for (let steps = 0; steps < 40; steps++) {
    const here = current
    const found = yield* missing(fileStep(() => lstat(here)))
    if (found === undefined || !found.isSymbolicLink()) return current
    const link = yield* fileStep(() => readlink(here))
    current = resolve(yield* fileStep(() => realpath(dirname(here))), link)
  }
  return yield* new FileStepFailed({ code: "ELOOP", cause: "too many links" })
})
