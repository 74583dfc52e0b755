/**
 * A file system that answers whether something exists without leaving the
 * thread.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { statSync } from "node:fs"

/**
 * Layer that takes the rest, and what is refused, from the file system it is
 * given.
 *
 * **When to use**
 *
 * Use for whoever asks about many names at every call, most of which are not
 * there: a question that goes through the pool of threads costs tenfold, and the
 * error for a name that is missing as much again.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) =>
    FileSystem.FileSystem.of({
      ...fs,
      exists: (path) =>
        Effect.suspend(() => {
          try {
            return Effect.succeed(statSync(path, { throwIfNoEntry: false }) !== undefined)
          } catch {
            return fs.exists(path)
          }
        })
    }))
)
