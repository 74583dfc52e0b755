/**
 * One writer at a time, over all processes of a machine.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import { StoreFailed } from "../../errors/SessionError.ts"
import * as LockOwner from "./LockOwner.ts"
import { whyFailed } from "./whyFailed.ts"

/**
 * How long to be patient, in milliseconds.
 *
 * @category options
 * @since 0.1.0
 */
export interface LockOptions {
  /** How long to wait for somebody else to finish. 10 seconds when left out. */
  readonly waitMillis?: number
  /** After what age a lock counts whose owner can't be looked up. 30 seconds when left out. */
  readonly staleMillis?: number
}

/**
 * Runs an effect while holding a lock file, which is gone afterwards.
 *
 * **Details**
 *
 * The lock of a process that died is taken over at once on the same machine,
 * and after `staleMillis` when another machine wrote it. Fibers of this process
 * queue in order and never look at the file for each other.
 *
 * **Gotchas**
 *
 * Waiting for other processes goes by the machine's clock, not by `Clock`: they
 * know nothing of a test's time. A lock is not reentrant.
 *
 * @category locking
 * @since 0.1.0
 */
export const withLock =
  (file: string, options: LockOptions = {}) =>
  <A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreFailed, R | FileSystem.FileSystem> =>
    inTurn(
      file,
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const fs = yield* FileSystem.FileSystem
          const token = randomUUID()
          const deadline = performance.now() + (options.waitMillis ?? 10_000)
          while (!(yield* take(fs, file, token, options.staleMillis ?? 30_000))) {
            if (performance.now() > deadline) {
              return yield* new StoreFailed({
                path: file,
                reason: "is held by another process; delete this file if no other process is running"
              })
            }
            yield* restore(pause(5 + 20 * jitter(token)))
          }
          return yield* Effect.ensuring(restore(use), release(fs, file, token))
        })
      )
    )

const turns = new Map<string, { readonly semaphore: Semaphore.Semaphore; users: number }>()

const inTurn = <A, E, R>(file: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const turn = turns.get(file) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
      turn.users++
      turns.set(file, turn)
      return turn
    }),
    (turn) => turn.semaphore.withPermit(effect),
    (turn) =>
      Effect.sync(() => {
        turn.users--
        if (turn.users === 0) turns.delete(file)
      })
  )

const failed = (file: string) => (error: PlatformError) =>
  new StoreFailed({ path: file, reason: whyFailed(error), cause: error })

const take = Effect.fnUntraced(function*(
  fs: FileSystem.FileSystem,
  file: string,
  token: string,
  staleMillis: number
): Effect.fn.Return<boolean, StoreFailed> {
  if (yield* create(fs, file, LockOwner.mine(token))) return true
  const owner = yield* read(fs, file)
  if (owner === undefined || !LockOwner.isGone(owner.text, owner.ageMillis, staleMillis)) return false

  // INVARIANT: only the holder of the second lock removes a dead owner's file,
  // and only when it still is that owner's; otherwise two that found it dead
  // could each remove the other's fresh lock.
  const breaker = `${file}.break`
  if (!(yield* create(fs, breaker, LockOwner.mine(token)))) {
    const other = yield* read(fs, breaker)
    if (other !== undefined && LockOwner.isGone(other.text, other.ageMillis, staleMillis)) yield* remove(fs, breaker)
    return false
  }
  return yield* Effect.ensuring(
    Effect.gen(function*() {
      const now = yield* read(fs, file)
      if (now?.text === owner.text) yield* remove(fs, file)
      return yield* create(fs, file, LockOwner.mine(token))
    }),
    remove(fs, breaker)
  )
})

const create = (fs: FileSystem.FileSystem, file: string, text: string): Effect.Effect<boolean, StoreFailed> =>
  fs.open(file, { flag: "wx", mode: 0o600 }).pipe(
    // A full disk has room for the name of a file and for nothing in it.
    Effect.flatMap((opened) =>
      Effect.tapError(opened.writeAll(new TextEncoder().encode(text)), () => remove(fs, file))
    ),
    Effect.scoped,
    Effect.as(true),
    Effect.catchTag(
      "PlatformError",
      (error) => error.reason._tag === "AlreadyExists" ? Effect.succeed(false) : Effect.fail(failed(file)(error))
    )
  )

const read = (fs: FileSystem.FileSystem, file: string) =>
  Effect.all([fs.readFileString(file), fs.stat(file)]).pipe(
    Effect.map(([text, info]) => ({
      text,
      ageMillis: info.mtime._tag === "Some" ? Date.now() - info.mtime.value.getTime() : 0
    })),
    Effect.catchTag("PlatformError", () => Effect.undefined)
  )

const remove = (fs: FileSystem.FileSystem, file: string): Effect.Effect<void> =>
  Effect.ignore(fs.remove(file, { force: true }))

const release = (fs: FileSystem.FileSystem, file: string, token: string): Effect.Effect<void> =>
  Effect.flatMap(
    read(fs, file),
    (owner) => owner !== undefined && LockOwner.isMine(owner.text, token) ? remove(fs, file) : Effect.void
  )

const pause = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(timer))
  })

// Two processes that wait for the same lock should not knock in step.
const jitter = (token: string): number => Number.parseInt(token.slice(0, 4), 16) / 0xffff
