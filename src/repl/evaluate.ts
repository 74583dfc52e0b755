/**
 * One evaluation, between a session's thread and the call that it is for.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Tools } from "../domain/Tool.ts"
import { type Content, textOf } from "../domain/ToolResult.ts"
import { CallEvents } from "../services/CallEvents.ts"
import type { Evaluated, FromThread, Said } from "./messages.ts"
import type { Thread } from "./startThread.ts"

/**
 * What is to be evaluated, for whom.
 *
 * **Details**
 *
 * `limitMillis` bounds how long it may take; the time in which a person is asked
 * about a call that it makes does not count.
 *
 * @category models
 * @since 0.1.0
 */
export interface Request {
  readonly code: string
  readonly limitMillis: number
  readonly tools: Tools
  readonly said: (said: Said) => Effect.Effect<void>
}

/**
 * How an evaluation ended; `lost` says that the session's state is gone.
 *
 * @category models
 * @since 0.1.0
 */
export type Outcome = (Evaluated | { readonly _tag: "TimedOut" }) & { readonly lost: boolean }

/**
 * Evaluates code in a thread.
 *
 * **Details**
 *
 * However it ends, nothing of it runs afterwards: the calls that it made have
 * ended, and what merely waits is forgotten. `lose` is run when the thread can't
 * be gone on with.
 *
 * @category running
 * @since 0.1.0
 */
export const evaluate = Effect.fnUntraced(function*(
  thread: Thread,
  { code, limitMillis, said, tools }: Request,
  lose: Effect.Effect<void>
): Effect.fn.Return<Outcome, never, Scope.Scope> {
  const inbox = yield* Queue.unbounded<FromThread>()
  const broken: FromThread = { _tag: "Ended", evaluated: { _tag: "Broken", reason: "it ended by itself" } }
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      thread.listen({
        heard: (message) => Queue.offerUnsafe(inbox, message),
        broken: () => Queue.offerUnsafe(inbox, broken)
      })
    ),
    () => Effect.sync(thread.leave)
  )
  const time = yield* timeLeft(limitMillis)

  const call = Effect.fnUntraced(function*({ call, json, tool }: Extract<FromThread, { readonly _tag: "Called" }>) {
    const { content, failed } = yield* time.without(tools.call(tool, JSON.parse(json))).pipe(
      Effect.map(({ content, is_error }) => ({ content, failed: is_error === true })),
      // Whoever waits for the call has to hear of it, whatever became of it.
      Effect.catchDefect(() => Effect.succeed({ content: "the call failed without saying why", failed: true }))
    )
    thread.tell({ _tag: "Settle", call, failed, json: JSON.stringify(failed ? textOf(content) : plain(content)) })
  })

  const listening = Effect.scoped(Effect.gen(function*() {
    for (;;) {
      const message = yield* Queue.take(inbox)
      if (message._tag === "Said") yield* Effect.forEach(message.said, said, { discard: true })
      if (message._tag === "Called") yield* Effect.forkScoped(call(message))
      if (message._tag === "Ended") return message.evaluated
    }
  }))

  /** Whether the thread stands still, after it was told to. One that computes hears nothing. */
  const abandoned = Effect.gen(function*() {
    thread.tell({ _tag: "Abandon" })
    for (;;) {
      const message = yield* Queue.take(inbox)
      if (message._tag === "Abandoned") return message.idle
      if (message === broken) return false
    }
  }).pipe(Effect.timeoutOrElse({ duration: graceMillis, orElse: () => Effect.succeed(false) }))
  const stop = Effect.flatMap(abandoned, (idle) => idle ? Effect.succeed(false) : Effect.as(lose, true))

  const names = yield* tools.names
  thread.tell({ _tag: "Evaluate", code, tools: names })
  const ended = yield* Effect.raceFirst(listening, Effect.as(time.up, { _tag: "TimedOut" as const })).pipe(
    Effect.onInterrupt(() => stop)
  )
  const lost = yield* Effect.uninterruptible(
    ended._tag === "TimedOut" ? stop : ended._tag === "Broken" ? Effect.as(lose, true) : Effect.succeed(false)
  )
  return { ...ended, lost }
}, Effect.scoped)

/** How long a thread may take to say that it stands still. */
const graceMillis = 500

const plain = (content: Content): Content =>
  typeof content !== "string" && content.every(({ type }) => type === "text") ? textOf(content) : content

interface TimeLeft {
  /** Ends when the time is up. */
  readonly up: Effect.Effect<void>
  /** Runs a call; while a person is asked about it, the clock stands. */
  readonly without: <A>(call: Effect.Effect<A>) => Effect.Effect<A>
}

const timeLeft = Effect.fnUntraced(function*(limitMillis: number): Effect.fn.Return<TimeLeft> {
  const publish = yield* CallEvents
  const clock = yield* Clock.Clock
  const now = (): number => clock.currentTimeMillisUnsafe()
  const started = now()
  let waited = 0
  let since: number | undefined
  const asked = new Set<string>()
  const answered = (id: string): void => {
    if (!asked.delete(id) || asked.size > 0 || since === undefined) return
    waited += now() - since
    since = undefined
  }
  const rest = (): number => {
    const at = now()
    return limitMillis - (at - started - waited - (since === undefined ? 0 : at - since))
  }
  const up: Effect.Effect<void> = Effect.suspend(() =>
    rest() <= 0 ? Effect.void : Effect.andThen(Effect.sleep(Math.max(rest(), 50)), up)
  )
  return {
    up,
    without: (call) => {
      const mine = new Set<string>()
      return call.pipe(
        Effect.provideService(CallEvents, (event) =>
          Effect.suspend(() => {
            if (event._tag === "Asked") {
              mine.add(event.id)
              asked.add(event.id)
              since ??= now()
            }
            if (event._tag === "Answered") answered(event.id)
            return publish(event)
          })),
        Effect.ensuring(Effect.sync(() => mine.forEach(answered)))
      )
    }
  }
})
