/**
 * Layers that provide `Trust`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { StoreFailed } from "../errors/SessionError.ts"
import { Trust } from "../services/Trust.ts"
import { atomicWrite } from "./files/atomicWrite.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { withLock } from "./files/withLock.ts"
import { decodeText } from "./settings/decodeText.ts"
import { type View, watchFiles } from "./settings/watch.ts"

/**
 * Layer that keeps the trusted folders in `trust.json` of a state directory, by
 * their real paths, so that a link to a trusted folder is trusted and a folder
 * that takes a trusted one's name by a link is not.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (
  stateDirectory: string
): Layer.Layer<Trust, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Trust,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const file = path.join(stateDirectory, "trust.json")
      const look = watchFiles(fs, maxBytes, decode)
      const failed = (at: string) => (error: PlatformError) =>
        new StoreFailed({ path: at, reason: whyFailed(error), cause: error })
      const real = (directory: string): Effect.Effect<string, StoreFailed> =>
        Effect.mapError(fs.realPath(directory), failed(directory))

      const change = <A>(
        edit: (directories: ReadonlyArray<string>) => { readonly directories: ReadonlyArray<string>; readonly value: A }
      ): Effect.Effect<A, StoreFailed> =>
        Effect.gen(function*() {
          yield* Effect.mapError(
            fs.makeDirectory(stateDirectory, { recursive: true, mode: 0o700 }),
            failed(stateDirectory)
          )
          return yield* withLock(`${file}.lock`)(Effect.gen(function*() {
            const before = yield* listed(file, yield* watchFiles(fs, maxBytes, decode)(file))
            const { directories, value } = edit(before)
            if (directories === before) return value
            const text = `${JSON.stringify({ directories }, null, 2)}\n`
            yield* Effect.mapError(atomicWrite(file, text, { mode: 0o600 }), failed(file))
            return value
          }))
        }).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )

      return Trust.of({
        isTrusted: Effect.fnUntraced(function*(directory) {
          const view = yield* look(file)
          if (view._tag !== "Read" || view.value.length === 0) return false
          const here = yield* Effect.result(fs.realPath(directory))
          return Result.isSuccess(here) && view.value.some((trusted) => covers(trusted, here.success))
        }),
        trust: Effect.fn("Trust.trust")(function*(directory): Effect.fn.Return<string, StoreFailed> {
          const folder = yield* real(directory)
          const info = yield* Effect.mapError(fs.stat(folder), failed(directory))
          if (info.type !== "Directory") {
            return yield* new StoreFailed({ path: directory, reason: "is no folder" })
          }
          return yield* change((directories) => ({
            directories: directories.includes(folder) ? directories : [...directories, folder].sort(),
            value: folder
          }))
        }),
        untrust: Effect.fn("Trust.untrust")(function*(directory): Effect.fn.Return<boolean, StoreFailed> {
          // A folder that is gone can still be forgotten.
          const folder = yield* Effect.orElseSucceed(real(directory), () => path.resolve(directory))
          return yield* change((directories) => {
            const value = directories.includes(folder)
            return { directories: value ? directories.filter((trusted) => trusted !== folder) : directories, value }
          })
        }),
        list: Effect.flatMap(look(file), (view) => listed(file, view))
      })
    })
  )

/**
 * Layer that keeps the trusted folders in memory, and takes paths as they are.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (directories: ReadonlyArray<string> = []): Layer.Layer<Trust> =>
  Layer.sync(Trust, () => {
    const trusted = new Set(directories)
    return Trust.of({
      isTrusted: (directory) => Effect.sync(() => [...trusted].some((folder) => covers(folder, directory))),
      trust: (directory) =>
        Effect.sync(() => {
          trusted.add(directory)
          return directory
        }),
      untrust: (directory) => Effect.sync(() => trusted.delete(directory)),
      list: Effect.sync(() => [...trusted].sort())
    })
  })

const maxBytes = 2 * 1024 * 1024

const Stored = Schema.fromJsonString(Schema.Struct({ directories: Schema.Array(Schema.String) }))

const decodeStored = Schema.decodeUnknownResult(Stored)

// An entry that is no absolute path, such as an empty text, would cover more than anybody meant.
const decode = (bytes: Uint8Array): Exclude<View<ReadonlyArray<string>>, { readonly _tag: "Missing" }> => {
  const stored = decodeStored(decodeText(bytes))
  return Result.isSuccess(stored)
    ? { _tag: "Read", value: stored.success.directories.filter((folder) => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder)) }
    : { _tag: "Refused", reason: "is no list of trusted folders; move it away to begin a new one" }
}

const listed = (
  file: string,
  view: View<ReadonlyArray<string>>
): Effect.Effect<ReadonlyArray<string>, StoreFailed> => {
  switch (view._tag) {
    case "Missing":
      return Effect.succeed([])
    case "Read":
      return Effect.succeed(view.value)
    case "Refused":
      return Effect.fail(new StoreFailed({ path: file, reason: view.reason }))
  }
}

const covers = (trusted: string, directory: string): boolean => {
  const folder = trusted.replace(/[/\\]+$/, "")
  return directory === trusted || directory === folder || directory.startsWith(`${folder}/`) ||
    (/^[A-Za-z]:|^\\\\/.test(folder) && directory.startsWith(`${folder}\\`))
}
