/**
 * Replaces a file as a whole: whoever reads it sees the old content or the new.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import { randomUUID } from "node:crypto"

/**
 * Writes a text through a temporary file beside the target, flushed to disk
 * before it takes the target's place.
 *
 * **Details**
 *
 * A link keeps being a link: the file that it leads to is replaced. With `mode`
 * the file gets exactly that one; without, it keeps the one it had, and a new
 * file is for the user alone. The folder must exist.
 *
 * @category writing
 * @since 0.1.0
 */
export const atomicWrite = Effect.fnUntraced(function*(
  file: string,
  text: string,
  options: { readonly mode?: number } = {}
): Effect.fn.Return<void, PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const target = yield* Effect.catchTag(fs.realPath(file), "PlatformError", () => Effect.succeed(file))
  const mode = options.mode ?? (yield* modeOf(fs, target))
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`)

  yield* Effect.onError(
    Effect.andThen(
      writeSynced(fs, temporary, text, mode),
      Effect.andThen(fs.rename(temporary, target), syncFolder(fs, path.dirname(target)))
    ),
    () => Effect.ignore(fs.remove(temporary, { force: true }))
  )
})

const modeOf = (fs: FileSystem.FileSystem, file: string): Effect.Effect<number> =>
  fs.stat(file).pipe(
    Effect.map((info) => info.mode & 0o777),
    Effect.catchTag("PlatformError", () => Effect.succeed(0o600))
  )

const writeSynced = (fs: FileSystem.FileSystem, file: string, text: string, mode: number) =>
  Effect.scoped(Effect.gen(function*() {
    const handle = yield* fs.open(file, { flag: "wx", mode: 0o600 })
    yield* handle.writeAll(new TextEncoder().encode(text))
    // The process's umask has a say in the mode of a file that is created, none here.
    if (mode !== 0o600) yield* fs.chmod(file, mode)
    yield* handle.sync
  }))

// Some file systems can't flush a folder; the rename itself is done by then.
const syncFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void> =>
  Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (handle) => handle.sync)))
