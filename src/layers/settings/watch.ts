/**
 * Files that are read again only when they changed.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import { remember } from "../../domain/remember.ts"
import { whyFailed } from "../files/whyFailed.ts"

/**
 * What a look at a file finds. The same object is found again while the content
 * is the same.
 *
 * @category models
 * @since 0.1.0
 */
export type View<A> =
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Read"; readonly value: A }
  | { readonly _tag: "Refused"; readonly reason: string }

/**
 * The view of what is not there.
 *
 * @category constants
 * @since 0.1.0
 */
export const missing: View<never> = { _tag: "Missing" }

/**
 * Makes a way to look at files of at most `limit` bytes.
 *
 * **Details**
 *
 * A look costs a `stat` while size, time, mode and inode are the same. A file
 * that changed moments before it was read is read again, since a second change
 * within the same tick of the disk's clock can't be seen otherwise. Nothing but
 * a regular file is ever opened, so that no look waits for a pipe's writer. An
 * empty folder that nobody may write is nothing: the sandbox has one stand for a
 * file that is not there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const watchFiles = <A>(
  fs: FileSystem.FileSystem,
  limit: number,
  read: (bytes: Uint8Array) => Exclude<View<A>, { readonly _tag: "Missing" }>
): (path: string) => Effect.Effect<View<A>> => {
  const entries = new Map<string, Entry<A>>()

  const keep = (path: string, stamp: string, settled: boolean, view: View<A>): View<A> => {
    const before = entries.get(path)
    const same = before !== undefined && sameView(before.view, view) ? before.view : view
    remember(entries, path, { stamp, settled, view: same }, mostEntries)
    return same
  }

  return Effect.fnUntraced(function*(path) {
    const now = yield* Clock.currentTimeMillis
    // A failed `stat` costs several times what the question does, and most places hold no file.
    if (entries.get(path)?.view._tag === "Missing" && !(yield* exists(fs, path))) return missing
    const info = yield* Effect.result(fs.stat(path))
    if (info._tag === "Failure") {
      return keep(path, "", false, isAbsent(info.failure) ? yield* absent(fs, path) : refused(whyFailed(info.failure)))
    }
    const stamp = stampOf(info.success)
    const before = entries.get(path)
    if (before !== undefined && before.settled && before.stamp === stamp) return before.view

    const settled = isSettled(info.success, now)
    if (isStandIn(info.success) && (yield* isEmpty(fs, path))) return keep(path, stamp, false, missing)
    if (info.success.type !== "File") return keep(path, stamp, settled, refused(notAFile(info.success.type)))
    if (info.success.size > BigInt(limit)) return keep(path, stamp, settled, refused(tooBig(limit)))
    const bytes = yield* Effect.result(fs.readFile(path))
    if (bytes._tag === "Failure") {
      return keep(path, "", false, isAbsent(bytes.failure) ? missing : refused(whyFailed(bytes.failure)))
    }
    if (bytes.success.length > limit) return keep(path, stamp, settled, refused(tooBig(limit)))
    return keep(path, stamp, settled, read(bytes.success))
  })
}

/**
 * Whether there is something under a path, as far as can be found out.
 *
 * @category reading
 * @since 0.1.0
 */
export const exists = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(fs.exists(path), () => true)

/**
 * Whether a failure says that there is nothing under a path.
 *
 * @category guards
 * @since 0.1.0
 */
export const isAbsent = (error: PlatformError): boolean =>
  error.reason._tag === "NotFound" || whyFailed(error) === fileForFolder

interface Entry<A> {
  readonly stamp: string
  readonly settled: boolean
  readonly view: View<A>
}

const mostEntries = 4096

const sameView = (a: View<unknown>, b: View<unknown>): boolean =>
  a._tag === "Read" && b._tag === "Read"
    ? a.value === b.value
    : a._tag === "Refused" && b._tag === "Refused"
    ? a.reason === b.reason
    : a._tag === b._tag

const fileForFolder = "has a file where a folder should be"

const refused = (reason: string): { readonly _tag: "Refused"; readonly reason: string } => ({ _tag: "Refused", reason })

// A link that leads nowhere is no missing file: somebody meant something to be read here.
const absent = (fs: FileSystem.FileSystem, path: string): Effect.Effect<View<never>> =>
  fs.readLink(path).pipe(
    Effect.map(() => refused("is a link that leads nowhere")),
    Effect.catchTag("PlatformError", () => Effect.succeed(missing))
  )

const isStandIn = ({ mode, type }: FileSystem.File.Info): boolean => type === "Directory" && (mode & 0o222) === 0

const isEmpty = (fs: FileSystem.FileSystem, path: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(Effect.map(fs.readDirectory(path), (names) => names.length === 0), () => false)

const stampOf = (info: FileSystem.File.Info): string =>
  `${info.type} ${info.dev} ${Option.getOrElse(info.ino, () => "")} ${info.size} ${info.mode} ${modified(info)}`

const modified = (info: FileSystem.File.Info): number =>
  Option.match(info.mtime, { onNone: () => Infinity, onSome: (date) => date.getTime() })

// Some disks keep times in steps of two seconds.
const isSettled = (info: FileSystem.File.Info, now: number): boolean => now - modified(info) > 2_000

const notAFile = (type: FileSystem.File.Type): string =>
  type === "Directory" ? "is a folder" : type === "FIFO" ? "is a pipe" : "is no regular file"

const tooBig = (limit: number): string => `is larger than ${limit / 1024 / 1024} MiB`
