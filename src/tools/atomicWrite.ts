/**
 * Writes a file whole or not at all.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { constants, type Stats } from "node:fs"
import { type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises"
import { ToolFailed } from "../errors/ExecuteError.ts"
import * as FileSnapshot from "./FileSnapshot.ts"
import { fileFailed, fileStep, FileStepFailed } from "./fileStep.ts"
import { missing, opened } from "./openRegularFile.ts"
import { quoted } from "./quoted.ts"
import { readWhole } from "./readChunks.ts"
import { type Folder, openFolder, type WriteTarget } from "./WriteTarget.ts"

/**
 * Puts `bytes` at the target: into a temporary file beside it, onto the disk,
 * and then in one step under its name. Mode and owner of a file that was there
 * are kept. `expected` is the hash of the contents that are to be replaced.
 *
 * **Details**
 *
 * Whatever fails, the target is as it was, and neither temporary file nor new
 * folder stays. A new file never takes the place of one that somebody else made
 * meanwhile. Interruption waits for the end.
 *
 * @category writing
 * @since 0.1.0
 */
export const atomicWrite = (
  target: WriteTarget,
  bytes: Uint8Array,
  expected?: string
): Effect.Effect<Stats, ToolFailed> =>
  Effect.suspend(() => {
    const made: Array<string> = []
    return Effect.scoped(
      Effect.flatMap(makeFolders(target, made), (folder) => replace(target, folder, bytes, expected))
    )
      .pipe(
        Effect.onError(() =>
          Effect.forEach([...made].reverse(), (path) => Effect.ignore(fileStep(() => rmdir(path))), { discard: true })
        )
      )
  }).pipe(Effect.uninterruptible)

const makeFolders = Effect.fnUntraced(function*(
  target: WriteTarget,
  made: Array<string>
): Effect.fn.Return<Folder, ToolFailed, Scope.Scope> {
  let folder = target.folder
  for (const name of target.missing) {
    const path = folder.at(name)
    const isNew = yield* fileStep(() => mkdir(path)).pipe(
      Effect.as(true),
      Effect.catchIf((error) => error.code === "EEXIST", () => Effect.succeed(false)),
      Effect.mapError(fileFailed("written", target.shown))
    )
    if (isNew) made.push(`${folder.real}/${name}`)
    folder = yield* openFolder(path, target.shown, constants.O_NOFOLLOW)
  }
  return folder
})

const replace = (
  target: WriteTarget,
  folder: Folder,
  bytes: Uint8Array,
  expected: string | undefined
): Effect.Effect<Stats, ToolFailed> => {
  const temporary = folder.at(`.toolgate-${randomUUID()}.tmp`)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const failed = fileFailed("written", target.shown)
  return Effect.acquireUseRelease(
    Effect.mapError(
      fileStep(() => open(temporary, flags, target.existing === undefined ? 0o666 : 0o600)),
      (error) =>
        new ToolFailed({
          reason: `${quoted(target.shown)} could not be written, since no file can be made in ${quoted(folder.real)}: ${
            reasonIn(error)
          }`,
          cause: error.cause
        })
    ),
    Effect.fnUntraced(function*(handle): Effect.fn.Return<Stats, ToolFailed> {
      yield* Effect.mapError(fill(handle, bytes, target.existing?.stats), failed)
      yield* unchanged(target, folder, expected)
      yield* Effect.mapError(putInPlace(temporary, folder.at(target.name), target.existing !== undefined), failed)
      // The new name is safe once the folder is; a folder that can't be synced is no reason to say that nothing was written.
      yield* Effect.ignore(fileStep(() => folder.handle.sync()))
      return yield* Effect.mapError(fileStep(() => handle.stat()), failed)
    }),
    (handle, exit) =>
      Effect.ignore(fileStep(() => handle.close())).pipe(
        Effect.andThen(Exit.isSuccess(exit) ? Effect.void : Effect.ignore(fileStep(() => unlink(temporary))))
      )
  )
}

/** A kernel that makes up a folder has its own reasons. */
const reasonIn = (error: FileStepFailed): string =>
  error.code === "ENOENT" ? "the system takes none there" : error.message

const fill = Effect.fnUntraced(function*(
  handle: FileHandle,
  bytes: Uint8Array,
  old: Stats | undefined
): Effect.fn.Return<void, FileStepFailed> {
  yield* fileStep(() => handle.writeFile(bytes))
  if (old !== undefined) {
    const now = yield* fileStep(() => handle.stat())
    const same = (now.uid === old.uid && now.gid === old.gid) ||
      (yield* Effect.isSuccess(fileStep(() => handle.chown(old.uid, old.gid))))
    // INVARIANT: a program that lends its owner's rights lends nobody else's.
    yield* fileStep(() => handle.chmod(old.mode & (same ? 0o7777 : 0o1777)))
  }
  yield* fileStep(() => handle.sync())
})

/** The last look before the old contents are gone. */
const unchanged = Effect.fnUntraced(function*(
  target: WriteTarget,
  folder: Folder,
  expected: string | undefined
): Effect.fn.Return<void, ToolFailed> {
  const { existing, name, shown } = target
  if (existing === undefined) return
  const failed = fileFailed("written", shown)
  const now = yield* Effect.mapError(fileStep(() => lstat(folder.at(name))), failed)
  const old = existing.stats
  const same = now.dev === old.dev && now.ino === old.ino && now.size === old.size && now.mtimeMs === old.mtimeMs &&
    now.ctimeMs === old.ctimeMs
  if (same) return
  const bytes = yield* Effect.scoped(
    opened(folder.at(name), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).pipe(
      Effect.flatMap((handle) => readWhole(handle.fd, FileSnapshot.largestRemembered)),
      Effect.mapError(failed)
    )
  )
  if (bytes === undefined || FileSnapshot.hashOf(bytes) !== expected) {
    return yield* new ToolFailed({ reason: `${quoted(shown)} was changed by somebody else just now; read it again` })
  }
})

const putInPlace = (temporary: string, path: string, exists: boolean): Effect.Effect<void, FileStepFailed> =>
  exists
    ? fileStep(() => rename(temporary, path))
    : fileStep(() => link(temporary, path)).pipe(
      Effect.andThen(fileStep(() => unlink(temporary))),
      // Some file systems know no second name for a file.
      Effect.catchIf(
        (error) => ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(error.code),
        () =>
          Effect.flatMap(missing(fileStep(() => lstat(path))), (found) =>
            found === undefined
              ? fileStep(() => rename(temporary, path))
              : Effect.fail(new FileStepFailed({ code: "EEXIST", cause: "made meanwhile" })))
      )
    )
