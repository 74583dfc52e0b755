/**
 * A file system that answers whether something exists, how a file looks and what
 * a small one holds, without leaving the thread.
 *
 * @since 0.1.0
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type PlatformError, systemError } from "effect/PlatformError"
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  statSync
} from "node:fs"

/**
 * Layer that takes the rest, and what is refused, from the file system it is
 * given. Whether something exists below a file is no question that fails: it
 * does not.
 *
 * **When to use**
 *
 * Use for whoever asks about the same names at every call, most of which are not
 * there: a question that goes through the pool of threads costs tenfold, and the
 * first one starts the threads.
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
        quickly("stat", path, fs.stat, () => {
          const found = statSync(path, { bigint: true })
          return found.isFile() ? infoOf("File", found) : found.isDirectory() ? infoOf("Directory", found) : undefined
        }),
      readLink: (path) => quickly("readLink", path, fs.readLink, () => readlinkSync(path)),
      readFile: (path) => quickly("readFile", path, fs.readFile, () => readSmall(path))
    }))
)

/** The answer of a look; where it has none, that of the file system below. A name that is missing needs no second look. */
const quickly = <A>(
  method: string,
  path: string,
  slow: (path: string) => Effect.Effect<A, PlatformError>,
  look: () => A | undefined
): Effect.Effect<A, PlatformError> =>
  Effect.suspend(() => {
    try {
      const found = look()
      return found === undefined ? slow(path) : Effect.succeed(found)
    } catch (cause) {
      if (!isMissing(cause)) return slow(path)
      const { syscall } = cause
      return Effect.fail(
        systemError({ _tag: "NotFound", module: "FileSystem", method, pathOrDescriptor: path, syscall, cause })
      )
    }
  })

const isMissing = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const largest = 256 * 1024

/**
 * Looked at first, since a pipe's writer takes whoever opens it for its reader, and opened so that none is waited for
 * that came in between.
 */
const readSmall = (path: string): Uint8Array | undefined => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return undefined
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    return found.isFile() && found.size <= largest ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}

const infoOf = (type: FileSystem.File.Type, file: BigIntStats): FileSystem.File.Info => ({
  type,
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
