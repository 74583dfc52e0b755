/**
 * Opens a file so that what was judged is what is read: the path of the opened
 * descriptor is judged again, and nothing but a regular file is ever opened.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats, statSync } from "node:fs"
import { type FileHandle, open, realpath, stat } from "node:fs/promises"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { fileFailed, fileLook, fileStep, type FileStepFailed } from "./fileStep.ts"
import { quoted } from "./quoted.ts"

/**
 * A file that is open under a descriptor, and where it really is.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenedFile {
  readonly descriptor: number
  readonly real: string
  readonly stats: Stats
}

/**
 * Opens a regular file for reading, or gives nothing when there is none. `may`
 * judges the real path; `shown` is how the model wrote it.
 *
 * **Details**
 *
 * All of this happens without leaving the thread, as the looks at the same path
 * before it: for a small file each step through the pool of threads would cost more
 * than the file.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openRegularFile = Effect.fnUntraced(function*(options: {
  readonly path: string
  readonly shown: string
  readonly may: (path: string) => Effect.Effect<boolean>
}): Effect.fn.Return<OpenedFile | undefined, ToolFailed, Scope.Scope> {
  const { may, path, shown } = options
  const failed = fileFailed("opened", shown)

  // Opening a device can do things; so nothing is opened that does not look like a file.
  const before = yield* missing(fileLook(() => statSync(path))).pipe(Effect.mapError(failed))
  if (before === undefined) return undefined
  yield* refuseOthers(before, shown)

  const descriptor = yield* missing(described(path)).pipe(Effect.mapError(failed))
  if (descriptor === undefined) return undefined
  const stats = yield* Effect.mapError(fileLook(() => fstatSync(descriptor)), failed)
  yield* refuseOthers(stats, shown)

  const real = yield* realPathOf(descriptor, path, shown)
  if (!(yield* may(real))) return yield* refusal(shown)
  return { descriptor, real, stats }
})

const described = (path: string): Effect.Effect<number, FileStepFailed, Scope.Scope> =>
  Effect.acquireRelease(
    fileLook(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)),
    (descriptor) => Effect.ignore(fileLook(() => closeSync(descriptor)))
  )

/**
 * Opens with flags, and closes with the scope.
 *
 * @category constructors
 * @since 0.1.0
 */
export const opened = (
  path: string,
  flags: number,
  mode?: number
): Effect.Effect<FileHandle, FileStepFailed, Scope.Scope> =>
  Effect.acquireRelease(
    fileStep(() => open(path, flags, mode)),
    (handle) => Effect.ignore(fileStep(() => handle.close()))
  )

/**
 * Finds out where an open descriptor really is. On Linux the kernel knows; where
 * it does not say, the path is followed and must lead to the same inode.
 *
 * @category getters
 * @since 0.1.0
 */
export const realPathOf = Effect.fnUntraced(function*(
  descriptor: number,
  path: string,
  shown: string
): Effect.fn.Return<string, ToolFailed> {
  const told = yield* Effect.option(fileLook(() => readlinkSync(`/proc/self/fd/${descriptor}`)))
  if (told._tag === "Some" && told.value.startsWith("/") && !told.value.endsWith(" (deleted)")) return told.value

  const failed = fileFailed("opened", shown)
  const real = yield* Effect.mapError(fileStep(() => realpath(path)), failed)
  const there = yield* Effect.mapError(fileStep(() => stat(real)), failed)
  const here = yield* Effect.mapError(fileLook(() => fstatSync(descriptor)), failed)
  if (there.dev !== here.dev || there.ino !== here.ino) {
    return yield* new ToolFailed({ reason: `${quoted(shown)} was replaced while it was being opened` })
  }
  return real
})

/**
 * The failure of a path that leads where the rules do not let this call go.
 *
 * @category errors
 * @since 0.1.0
 */
export const refusal = (shown: string): ToolFailed =>
  new ToolFailed({ reason: `${quoted(shown)} leads to a place that the rules do not open to this call` })

/**
 * Turns the failure of something that is not there into nothing.
 *
 * @category mapping
 * @since 0.1.0
 */
export const missing = <A, R>(
  effect: Effect.Effect<A, FileStepFailed, R>
): Effect.Effect<A | undefined, FileStepFailed, R> =>
  Effect.catchIf(effect, (error) => error.code === "ENOENT", () => Effect.as(Effect.void, undefined))

/**
 * Fails for what is no regular file, and says what it is.
 *
 * @category validation
 * @since 0.1.0
 */
export const refuseOthers = (stats: Stats, shown: string): Effect.Effect<void, ToolFailed> =>
  stats.isFile() ? Effect.void : Effect.fail(new ToolFailed({ reason: `${quoted(shown)} is ${kindOf(stats)}` }))

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return "a folder, not a file"
  if (stats.isFIFO()) return "a named pipe, not a file"
  if (stats.isSocket()) return "a socket, not a file"
  return "a device, not a file"
}
