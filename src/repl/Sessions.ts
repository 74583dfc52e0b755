/**
 * The live sessions: one thread each, so many at most.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
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
  /** Evaluates; `before` says why the session had been ended before, where what it had declared is lost for that. */
  readonly evaluate: (
    session: string,
    request: Request
  ) => Effect.Effect<Outcome & { readonly before: Ended | undefined }>
}>()("toolgate/repl/Sessions") {}

/**
 * Why a session that could have gone on was ended: for want of room, or since it
 * was not used.
 *
 * @category models
 * @since 0.1.0
 */
export type Ended = "room" | "unused"

/**
 * How long a session is kept that is not used, in minutes.
 *
 * @category constants
 * @since 0.1.0
 */
export const keptMinutes = 30

/**
 * Options of the Layer.
 *
 * **Details**
 *
 * - `most`: so many sessions live at once (8).
 * - `unused`: waits as long as one is kept that is not used; `keptMinutes`, in
 *   which nothing keeps the process alive, when left out.
 *
 * @category options
 * @since 0.1.0
 */
export interface SessionsOptions {
  readonly most?: number | undefined
  readonly unused?: Effect.Effect<void> | undefined
}

/**
 * Layer that keeps sessions alive: where there are too many, the one that was not
 * used for the longest time is ended, and so is one that was not used for long.
 * All end with the Layer.
 *
 * **Details**
 *
 * The first evaluation of a session loads what it needs; until then nothing of
 * it is there.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: SessionsOptions = {}): Layer.Layer<Sessions> => Layer.effect(Sessions, make(options))

interface Session {
  readonly turn: Semaphore.Semaphore
  thread: Thread | undefined
  /** How many evaluations run or wait. */
  users: number
  running: boolean
  ended: Ended | undefined
  /** Ends the session in a while, as long as nobody uses it. */
  ending: Fiber.Fiber<void> | undefined
}

/** So many sessions that were ended are remembered, to be told of it. */
const remembered = 1_000

const make = Effect.fnUntraced(function*(
  { most = 8, unused = aWhile }: SessionsOptions
): Effect.fn.Return<Sessions["Service"], never, Scope.Scope> {
  const scope = yield* Effect.scope
  // In the order of their last use.
  const sessions = new Map<string, Session>()
  const room = Semaphore.makeUnsafe(most)

  const end = (session: Session): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { thread } = session
      session.thread = undefined
      return thread === undefined ? Effect.void : Effect.promise(() => thread.end())
    })

  const endEarly = (session: Session, why: Ended): Effect.Effect<void> =>
    Effect.suspend(() => {
      session.ended = why
      const ended = [...sessions].filter(([, { ended, users }]) => ended !== undefined && users === 0)
      for (const [id] of ended.slice(0, Math.max(ended.length - remembered, 0))) sessions.delete(id)
      return end(session)
    })

  const endUnused = (session: Session): Effect.Effect<void> =>
    unused.pipe(
      Effect.andThen(
        Effect.suspend(() =>
          session.users > 0 || session.thread === undefined ? Effect.void : endEarly(session, "unused")
        )
      ),
      Effect.forkIn(scope),
      Effect.map((fiber) => {
        session.ending = fiber
      })
    )

  const threadOf = Effect.fnUntraced(function*(session: Session): Effect.fn.Return<Thread> {
    if (session.thread !== undefined) return session.thread
    const { startThread } = yield* Effect.promise(() => import("./startThread.ts"))
    const live = [...sessions.values()].filter(({ thread }) => thread !== undefined)
    const idle = live.find(({ users }) => users === 0) ?? live.find(({ running }) => !running)
    if (live.length >= most && idle !== undefined) yield* endEarly(idle, "room")
    return session.thread = startThread()
  }, Effect.uninterruptible)

  const run = (session: Session, request: Request) =>
    Effect.gen(function*() {
      const { evaluate } = yield* Effect.promise(() => import("./evaluate.ts"))
      session.running = true
      const thread = yield* threadOf(session)
      const before = session.ended
      session.ended = undefined
      return { ...yield* evaluate(thread, request, end(session)), before }
    }).pipe(Effect.ensuring(Effect.sync(() => {
      session.running = false
    })))

  yield* Effect.addFinalizer(() => Effect.forEach([...sessions.values()], end, { discard: true }))
  return Sessions.of({
    evaluate: (id, request) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          const session = sessions.get(id) ?? fresh()
          const { ending } = session
          session.users++
          session.ending = undefined
          sessions.delete(id)
          sessions.set(id, session)
          return Effect.as(ending === undefined ? Effect.void : Fiber.interrupt(ending), session)
        }),
        (session) => session.turn.withPermit(room.withPermit(run(session, request))),
        (session) =>
          Effect.suspend(() => {
            session.users--
            if (session.users > 0) return Effect.void
            if (session.thread !== undefined) return endUnused(session)
            if (session.ended === undefined) sessions.delete(id)
            return Effect.void
          })
      )
  })
})

const fresh = (): Session => ({
  turn: Semaphore.makeUnsafe(1),
  thread: undefined,
  users: 0,
  running: false,
  ended: undefined,
  ending: undefined
})

/** A process that has nothing else to do need not wait for it. */
const aWhile = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), keptMinutes * 60_000)
  timer.unref()
  return Effect.sync(() => clearTimeout(timer))
})
