/**
 * Where sign-ins are kept: one file a server in the state directory, for the
 * user alone.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { StoreFailed } from "../../errors/SessionError.ts"
import { atomicWrite } from "../../layers/files/atomicWrite.ts"
import { privateFolder, safeName } from "../../layers/files/sessionFolder.ts"
import { whyFailed } from "../../layers/files/whyFailed.ts"
import { withLock } from "../../layers/files/withLock.ts"
import { Credentials } from "./Credentials.ts"

/**
 * The place of one server's sign-in.
 *
 * **Details**
 *
 * - `exclusively`: no other process changes the sign-in meanwhile. Whoever
 *   writes or forgets holds it.
 *
 * @category models
 * @since 0.1.0
 */
export interface CredentialStore {
  readonly read: Effect.Effect<Credentials | undefined, StoreFailed>
  readonly write: (credentials: Credentials) => Effect.Effect<void, StoreFailed>
  readonly forget: Effect.Effect<void, StoreFailed>
  readonly exclusively: <A, E>(use: Effect.Effect<A, E>) => Effect.Effect<A, E | StoreFailed>
}

/**
 * The place of a server's sign-in within a state directory. A server is its name
 * and its address: another address is another server, whatever its name.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  stateDirectory: string,
  server: { readonly name: string; readonly url: string }
): Effect.fn.Return<CredentialStore, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const hash = createHash("sha256").update(server.url).digest("hex").slice(0, 16)
  return yield* at(path.join(folderOf(path, stateDirectory), `${safeName(server.name)}-${hash}.json`))
})

/**
 * Every sign-in that is kept under a server's name.
 *
 * @category getters
 * @since 0.1.0
 */
export const named = Effect.fnUntraced(function*(
  stateDirectory: string,
  name: string
): Effect.fn.Return<
  ReadonlyArray<{ readonly store: CredentialStore; readonly credentials: Credentials }>,
  StoreFailed,
  FileSystem.FileSystem | Path.Path
> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = folderOf(path, stateDirectory)
  const files = yield* Effect.catchTag(
    fs.readDirectory(folder),
    "PlatformError",
    (error) => error.reason._tag === "NotFound" ? Effect.succeed([]) : Effect.fail(failed(folder)(error))
  )
  const all = yield* Effect.forEach(
    files.filter((file) => file.endsWith(".json")).sort(),
    Effect.fnUntraced(function*(file) {
      const store = yield* at(path.join(folder, file))
      return { store, credentials: yield* store.read }
    })
  )
  return all.flatMap(({ credentials, store }) => credentials?.server === name ? [{ store, credentials }] : [])
})

const folderOf = (path: Path.Path, stateDirectory: string): string => path.join(stateDirectory, "mcp")

const at = Effect.fnUntraced(function*(
  file: string
): Effect.fn.Return<CredentialStore, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(file)
  return {
    read: fs.readFileString(file).pipe(
      // What is damaged is of no use to anybody: signing in again replaces it.
      Effect.map((text) => Option.getOrUndefined(decode(text))),
      Effect.catchTag(
        "PlatformError",
        (error) => error.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(failed(file)(error))
      )
    ),
    write: (credentials) =>
      atomicWrite(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 }).pipe(
        Effect.mapError(failed(file)),
        Effect.provideService(FileSystem.FileSystem, fs),
        Effect.provideService(Path.Path, path)
      ),
    forget: Effect.mapError(fs.remove(file, { force: true }), failed(file)),
    exclusively: (use) =>
      Effect.mapError(privateFolder(fs, folder), failed(folder)).pipe(
        // Whoever holds it may be waiting for an authorization server.
        Effect.andThen(withLock(`${file}.lock`, { waitMillis: 60_000, staleMillis: 60_000 })(use)),
        Effect.provideService(FileSystem.FileSystem, fs)
      )
  }
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Credentials))

const failed = (path: string) => (error: PlatformError) =>
  new StoreFailed({ path, reason: whyFailed(error), cause: error })
