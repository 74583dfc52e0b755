/**
 * The live sessions: one thread each, so many at most.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Outcome, Request } from "./evaluate.ts"
import type { Thread } from "./startThread.ts"

/**
 * Service that evaluates code in sessions, one evaluation of a session at a
 * time.
 *
 * @category services
 * @since 0.1.0
 */
export class Sessions extends Context.Service<Sessions, {
  /** Evaluates; `anew` says that the session had been ended before, for want of room. */
  readonly evaluate: (session: string, request: Request) => Effect.Effect<Outcome & { readonly anew: boolean }>
}>()("toolgate/repl/Sessions") {}

/**
 * Layer that keeps `most` sessions alive (8): where another begins, the one that
 * was not used for the longest time is ended. All end with the Layer.
 *
 * **Details**
 *
 * The first evaluation of a session loads what it needs; until then nothing of
 * it is there.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (most = 8): Layer.Layer<Sessions> => Layer.effect(Sessions, make(most))

interface Session {
  readonly turn: Semaphore.Semaphore
  thread: Thread | undefined
  /** How many evaluations run or wait. */
  users: number
  running: boolean
  ended: boolean
}

/** So many sessions that were ended are remembered, to be told of it. */
const remembered = 1_000

const make = Effect.fnUntraced(function*(most: number): Effect.fn.Return<Sessions["Service"], never, Scope.Scope> {
  // In the order of their last use.
  const sessions = new Map<string, Session>()
  const room = Semaphore.makeUnsafe(most)

  const end = (session: Session): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { thread } = session
      session.thread = undefined
      return thread === undefined ? Effect.void : Effect.promise(() => thread.end())
    })

  const threadOf = Effect.fnUntraced(function*(session: Session): Effect.fn.Return<Thread> {
    if (session.thread !== undefined) return session.thread
    const { startThread } = yield* Effect.promise(() => import("./startThread.ts"))
    const live = [...sessions.values()].filter(({ thread }) => thread !== undefined)
    const idle = live.find(({ users }) => users === 0) ?? live.find(({ running }) => !running)
    if (live.length >= most && idle !== undefined) {
      idle.ended = true
      yield* end(idle)
      const ended = [...sessions].filter(([, { ended, users }]) => ended && users === 0)
      for (const [id] of ended.slice(0, Math.max(ended.length - remembered, 0))) sessions.delete(id)
    }
    return session.thread = startThread()
  }, Effect.uninterruptible)

  const run = (session: Session, request: Request) =>
    Effect.gen(function*() {
      const { evaluate } = yield* Effect.promise(() => import("./evaluate.ts"))
      session.running = true
      const thread = yield* threadOf(session)
      const anew = session.ended
      session.ended = false
      return { ...yield* evaluate(thread, request, end(session)), anew }
    }).pipe(Effect.ensuring(Effect.sync(() => {
      session.running = false
    })))

  yield* Effect.addFinalizer(() => Effect.forEach([...sessions.values()], end, { discard: true }))
  return Sessions.of({
    evaluate: (id, request) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const session = sessions.get(id) ?? fresh()
          session.users++
          sessions.delete(id)
          sessions.set(id, session)
          return session
        }),
        (session) => session.turn.withPermit(room.withPermit(run(session, request))),
        (session) =>
          Effect.sync(() => {
            session.users--
            if (session.users === 0 && session.thread === undefined && !session.ended) sessions.delete(id)
          })
      )
  })
})

const fresh = (): Session => ({
  turn: Semaphore.makeUnsafe(1),
  thread: undefined,
  users: 0,
  running: false,
  ended: false
})
