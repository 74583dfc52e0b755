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
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { StoreFailed } from "../errors/SessionError.ts"
import { type BroughtServer, type ServerChange, Trust } from "../services/Trust.ts"
import { atomicWrite } from "./files/atomicWrite.ts"
import { checksum } from "./files/checksum.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { withLock } from "./files/withLock.ts"
import { decodeText } from "./settings/decodeText.ts"
import { type View, watchFiles } from "./settings/watch.ts"

/**
 * Layer that keeps the trusted folders in `trust.json` of a state directory, by
 * their real paths, so that a link to a trusted folder is trusted and a folder
 * that takes a trusted one's name by a link is not. Of a folder's servers it keeps
 * checksums.
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
        edit: (before: Stored) => { readonly after: Stored; readonly value: A }
      ): Effect.Effect<A, StoreFailed> =>
        Effect.gen(function*() {
          yield* Effect.mapError(
            fs.makeDirectory(stateDirectory, { recursive: true, mode: 0o700 }),
            failed(stateDirectory)
          )
          return yield* withLock(`${file}.lock`)(Effect.gen(function*() {
            const before = yield* stored(file, yield* watchFiles(fs, maxBytes, decode)(file))
            const { after, value } = edit(before)
            if (after === before) return value
            const text = `${JSON.stringify(after, null, 2)}\n`
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
          if (view._tag !== "Read" || view.value.directories.length === 0) return false
          const here = yield* Effect.result(fs.realPath(directory))
          return Result.isSuccess(here) && view.value.directories.some((trusted) => covers(trusted, here.success))
        }),
        changeOf: Effect.fnUntraced(function*(directory, server) {
          const view = yield* look(file)
          const here = yield* Effect.result(fs.realPath(directory))
          const seen = view._tag === "Read" && Result.isSuccess(here) ? view.value.servers?.[here.success] : undefined
          return changeSince(seen?.[server.name], server)
        }),
        trust: Effect.fn("Trust.trust")(function*(directory, servers = []): Effect.fn.Return<string, StoreFailed> {
          const folder = yield* real(directory)
          const info = yield* Effect.mapError(fs.stat(folder), failed(directory))
          if (info.type !== "Directory") {
            return yield* new StoreFailed({ path: directory, reason: "is no folder" })
          }
          const seen = Object.fromEntries(servers.map(({ name, written }) => [name, membersOf(written)]))
          return yield* change(({ directories, servers }) => ({
            after: {
              directories: directories.includes(folder) ? directories : [...directories, folder].sort(),
              servers: { ...servers, [folder]: seen }
            },
            value: folder
          }))
        }),
        untrust: Effect.fn("Trust.untrust")(function*(directory): Effect.fn.Return<boolean, StoreFailed> {
          // A folder that is gone can still be forgotten.
          const folder = yield* Effect.orElseSucceed(real(directory), () => path.resolve(directory))
          return yield* change((before) => {
            if (!before.directories.includes(folder)) return { after: before, value: false }
            const { [folder]: _, ...servers } = before.servers ?? {}
            const directories = before.directories.filter((trusted) => trusted !== folder)
            return { after: { directories, servers }, value: true }
          })
        }),
        list: Effect.flatMap(look(file), (view) => Effect.map(stored(file, view), ({ directories }) => directories))
      })
    })
  )

/**
 * Layer that keeps the trusted folders in memory, and takes paths and servers as
 * they are.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (directories: ReadonlyArray<string> = []): Layer.Layer<Trust> =>
  Layer.sync(Trust, () => {
    const trusted = new Set(directories)
    return Trust.of({
      isTrusted: (directory) => Effect.sync(() => [...trusted].some((folder) => covers(folder, directory))),
      changeOf: () => Effect.undefined,
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

/** `servers` has by folder and name a checksum of each member of the configuration. */
const Stored = Schema.Struct({
  directories: Schema.Array(Schema.String),
  servers: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String)))
  )
})

type Stored = typeof Stored.Type

const decodeStored = Schema.decodeUnknownResult(Schema.fromJsonString(Stored))

// An entry that is no absolute path, such as an empty text, would cover more than anybody meant.
const decode = (bytes: Uint8Array): Exclude<View<Stored>, { readonly _tag: "Missing" }> => {
  const stored = decodeStored(decodeText(bytes))
  if (Result.isFailure(stored)) {
    return { _tag: "Refused", reason: "is no list of trusted folders; move it away to begin a new one" }
  }
  const directories = stored.success.directories.filter((folder) => /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder))
  return { _tag: "Read", value: { ...stored.success, directories } }
}

const stored = (file: string, view: View<Stored>): Effect.Effect<Stored, StoreFailed> => {
  switch (view._tag) {
    case "Missing":
      return Effect.succeed({ directories: [] })
    case "Read":
      return Effect.succeed(view.value)
    case "Refused":
      return Effect.fail(new StoreFailed({ path: file, reason: view.reason }))
  }
}

type Members = { readonly [member: string]: string }

const membersOf = (written: unknown): Members =>
  Predicate.isObject(written)
    ? Object.fromEntries(Object.entries(written).map(([member, value]) => [member, checksum(value)]))
    : { "": checksum(written) }

const changeSince = (seen: Members | undefined, { written }: BroughtServer): ServerChange | undefined => {
  if (seen === undefined) return { _tag: "Unseen" }
  const now = membersOf(written)
  const members = [...new Set([...Object.keys(now), ...Object.keys(seen)])].filter((name) => now[name] !== seen[name])
  return members.length === 0 ? undefined : { _tag: "Changed", members }
}

const covers = (trusted: string, directory: string): boolean => {
  const folder = trusted.replace(/[/\\]+$/, "")
  return directory === trusted || directory === folder || directory.startsWith(`${folder}/`) ||
    (/^[A-Za-z]:|^\\\\/.test(folder) && directory.startsWith(`${folder}\\`))
}
