/**
 * Whose turn it is to ask a person.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Answer } from "../domain/Question.ts"

/**
 * What a person declined while others waited for their turn, by the call: for the
 * very same one they need not be asked again.
 *
 * @category models
 * @since 0.1.0
 */
export type Declined = Map<string, Extract<Answer, { readonly _tag: "Denied" }>>

/**
 * Runs an effect when nobody else of the same session asks.
 *
 * @category models
 * @since 0.1.0
 */
export type InTurn = <A, E, R>(
  session: string,
  asking: (declined: Declined) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/**
 * Reference to the queue of those who ask. Without one everybody asks at once.
 *
 * @category services
 * @since 0.1.0
 */
export const Turns = Context.Reference<InTurn>("toolgate/services/Turns", {
  defaultValue: (): InTurn => (_, asking) => asking(new Map())
})

/**
 * Makes a queue: the calls of one session ask one after the other, in the order
 * in which they came; sessions don't wait for each other. What was declined is
 * forgotten once nobody waits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): InTurn => {
  const queues = new Map<string, Queue>()
  return (session, asking) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const queue = queues.get(session) ?? { semaphore: Semaphore.makeUnsafe(1), declined: new Map(), users: 0 }
        queue.users++
        queues.set(session, queue)
        return queue
      }),
      ({ declined, semaphore }) => semaphore.withPermit(Effect.suspend(() => asking(declined))),
      (queue) =>
        Effect.sync(() => {
          queue.users--
          if (queue.users === 0) queues.delete(session)
        })
    )
}

interface Queue {
  readonly semaphore: Semaphore.Semaphore
  readonly declined: Declined
  users: number
}
