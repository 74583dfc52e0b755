/**
 * Layers that provide `SessionStore`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { statSync } from "node:fs"
import { remember } from "../domain/remember.ts"
import { empty, type FileState, SessionState } from "../domain/SessionState.ts"
import { StoreFailed } from "../errors/SessionError.ts"
import { SessionStore } from "../services/SessionStore.ts"
import { atomicWrite } from "./files/atomicWrite.ts"
import { makeSeenFiles } from "./files/seenFiles.ts"
import { privateFolder, sessionFolder } from "./files/sessionFolder.ts"
import { makeTogether } from "./files/together.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { withLock } from "./files/withLock.ts"

/**
 * The session that a working directory has when none is named: always the same,
 * so that a read and a later edit belong together, and never another's.
 *
 * **Details**
 *
 * It spells the path, `-` for `/` and `_2d` for `-`. A path that is too long for a
 * name, or in another alphabet, gets its last part and a hash.
 *
 * @category getters
 * @since 0.1.0
 */
export const defaultSession = (cwd: string): string => {
  const spelled = `path-${cwd.replace(/^\//, "").replace(/[^a-z0-9./]/g, hex).replaceAll("/", "-")}`
  if (spelled.length <= 64 && /^[ -~]*$/.test(cwd)) return spelled
  const name = (cwd.split(/[\\/]+/).findLast((part) => part !== "") ?? "root").toLowerCase()
  const kept = name.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 32)
  return `dir-${kept === "" ? "" : `${kept}-`}${createHash("sha256").update(cwd).digest("hex").slice(0, 16)}`
}

const hex = (character: string): string => `_${character.charCodeAt(0).toString(16)}`

/**
 * Layer that remembers sessions as long as it lives.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<SessionStore> = Layer.sync(SessionStore, () => {
  const sessions = new Map<string, SessionState>()
  const files = new Map<string, FileState>()
  const nameOf = (session: string, path: string) => JSON.stringify([session, path])
  return SessionStore.of({
    get: (session) => Effect.sync(() => sessions.get(session) ?? empty),
    update: (session, change) =>
      Effect.sync(() => {
        const changed = change(sessions.get(session) ?? empty)
        sessions.set(session, changed)
        return changed
      }),
    seen: (session, path) => Effect.sync(() => files.get(nameOf(session, path))),
    saw: (session, path, state) => Effect.sync(() => void files.set(nameOf(session, path), state))
  })
})

/**
 * Layer that keeps each session in a file of its own under the state directory.
 *
 * **Details**
 *
 * Files and folders are for the user alone, and made when there is something to
 * write. A change is read, made and written under a lock that holds over
 * processes; what was seen of files is added to a file of its own, so that a read
 * costs no more in a long session than in a short one. A file that can't be read fails: it is never taken for an empty
 * session, nor overwritten, since it may hold a rule that denies.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (
  stateDirectory: string
): Layer.Layer<SessionStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    SessionStore,
    Effect.gen(function*() {
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const fs = yield* FileSystem.FileSystem
      const fileOf = (session: string) => `${sessionFolder(stateDirectory, session)}/session.json`
      const kept = makeKept()
      const read = (file: string): Effect.Effect<SessionState, StoreFailed> =>
        Effect.suspend(() => {
          const before = kept.get(file)
          return before === undefined ? readFile(fs, file, kept) : Effect.succeed(before)
        })
      const together = makeTogether<SessionState, StoreFailed>()

      const get = (session: string): Effect.Effect<SessionState, StoreFailed> => read(fileOf(session))
      const files = makeSeenFiles((session) => sessionFolder(stateDirectory, session))

      const update = Effect.fnUntraced(function*(
        session: string,
        change: (state: SessionState) => SessionState
      ): Effect.fn.Return<SessionState, StoreFailed, FileSystem.FileSystem | Path.Path> {
        const folder = sessionFolder(stateDirectory, session)
        const file = fileOf(session)
        yield* Effect.mapError(privateFolder(fs, folder), failed(folder))
        // Calls of one batch change a session at the same time: those who wait are written together.
        return yield* together(session, change, (changed) =>
          withLock(`${file}.lock`)(Effect.gen(function*() {
            const before = yield* read(file)
            // Leaving half way would leave the file whole and the caller wrong about it.
            yield* Effect.uninterruptible(Effect.suspend(() => {
              const after = changed(before)
              if (after === before) return Effect.void
              const written = atomicWrite(file, JSON.stringify(after), { mode: 0o600 })
              return Effect.andThen(Effect.mapError(written, failed(file)), Effect.sync(() => kept.keep(file, after)))
            }))
          })))
      })

      return SessionStore.of({
        get,
        update: (session, change) => Effect.provideContext(update(session, change), context),
        ...files
      })
    })
  )

const decodeText = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownEffect(SessionState)

const failed = (path: string) => (error: PlatformError) =>
  new StoreFailed({ path, reason: whyFailed(error), cause: error })

/** What was read and written, each as long as its file is the same. */
const makeKept = () => {
  const states = new Map<string, { readonly key: string; readonly state: SessionState }>()
  const keep = (file: string, state: SessionState, key = keyOf(file)): void => {
    states.delete(file)
    // A file that was replaced while it was read is read again the next time.
    if (key === undefined || key === missing || keyOf(file) !== key) return
    remember(states, file, { key, state }, mostKept)
  }
  return {
    keep,
    get: (file: string): SessionState | undefined => {
      const before = states.get(file)
      const key = keyOf(file)
      if (key === missing) return empty
      return before !== undefined && before.key === key ? before.state : undefined
    }
  }
}

const readFile = (
  fs: FileSystem.FileSystem,
  file: string,
  kept: ReturnType<typeof makeKept>
): Effect.Effect<SessionState, StoreFailed> =>
  Effect.suspend(() => {
    const key = keyOf(file)
    return Effect.tap(read(fs, file), (state) => Effect.sync(() => kept.keep(file, state, key)))
  })

const mostKept = 64

const missing = "missing"

/**
 * What tells apart two contents of a file, each of which replaced the one before
 * as a whole. Nothing for one that can't be looked at: reading it says why.
 */
const keyOf = (file: string): string | undefined => {
  try {
    const info = statSync(file, { bigint: true, throwIfNoEntry: false })
    return info === undefined ? missing : `${info.dev}:${info.ino}:${info.size}:${info.mtimeNs}:${info.ctimeNs}`
  } catch {
    return undefined
  }
}

const read = (fs: FileSystem.FileSystem, file: string): Effect.Effect<SessionState, StoreFailed> =>
  Effect.matchEffect(fs.readFileString(file), {
    onFailure: (error) => error.reason._tag === "NotFound" ? Effect.succeed(empty) : Effect.fail(failed(file)(error)),
    onSuccess: (text) =>
      decodeText(text).pipe(
        // What was added to the state since this file was written begins as in a new session.
        Effect.flatMap((value) => decode(isState(value) ? { ...empty, ...value } : value)),
        Effect.mapError((cause) =>
          new StoreFailed({
            path: file,
            reason: "is not a session that can be read; move it away to begin this session anew",
            cause
          })
        )
      )
  })

const isState = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isObject(value) && "rules" in value
