/**
 * The order in which the calls of one tool run.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/**
 * Makes a queue: effects start in the order in which they come. Those that may
 * overlap do, `most` at a time and never fewer than one; any other runs alone.
 *
 * @category constructors
 * @since 0.1.0
 */
export const inOrder = (most: number): <A, E, R, R2>(
  overlaps: Effect.Effect<boolean, never, R2>,
  run: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R | R2> => {
  const atOnce = most >= 1 ? Math.min(Math.floor(most), Number.MAX_SAFE_INTEGER) : 1
  // Whoever is at the door waits for room; those behind can't pass it by.
  const door = Semaphore.makeUnsafe(1)
  const room = Semaphore.makeUnsafe(atOnce)
  return (overlaps, run) =>
    Effect.uninterruptibleMask((restore) => {
      const enter = Effect.flatMap(overlaps, (safe) => room.take(safe ? 1 : atOnce))
      return Effect.flatMap(
        restore(door.withPermit(enter)),
        (taken) => Effect.ensuring(restore(run), room.release(taken))
      )
    })
}
