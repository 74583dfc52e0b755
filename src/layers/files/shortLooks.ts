/**
 * A file system that answers whether something exists, and how a file looks,
 * without leaving the thread.
 *
 * @since 0.1.0
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type BigIntStats, statSync } from "node:fs"

/**
 * Layer that takes the rest, and what is refused, from the file system it is
 * given.
 *
 * **When to use**
 *
 * Use for whoever asks about the same names at every call, most of which are not
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
        }),
      stat: (path) =>
        Effect.suspend(() => {
          try {
            const found = statSync(path, { bigint: true, throwIfNoEntry: false })
            return found?.isFile() === true ? Effect.succeed(infoOf(found)) : fs.stat(path)
          } catch {
            return fs.stat(path)
          }
        })
    }))
)

const infoOf = (file: BigIntStats): FileSystem.File.Info => ({
  type: "File",
  mtime: Option.some(file.mtime),
  atime: Option.some(file.atime),
  birthtime: Option.some(file.birthtime),
  dev: BigInt.asUintN(64, file.dev),
  rdev: Option.some(BigInt.asUintN(64, file.rdev)),
  ino: Option.some(BigInt.asUintN(64, file.ino)),
  mode: Number(file.mode),
  nlink: Option.some(BigInt.asUintN(64, file.nlink)),
  uid: Option.some(Number(file.uid)),
  gid: Option.some(Number(file.gid)),
  size: ByteSize.bytes(file.size),
  blksize: Option.some(ByteSize.bytes(file.blksize)),
  blocks: Option.some(file.blocks)
})
