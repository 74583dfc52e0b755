/** Waiting for what happens beside a test, in another process say. */
import * as Effect from "effect/Effect"

/** A moment by the machine's clock, whatever a test's clock says. */
export const moment: Effect.Effect<void> = Effect.callback((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 20)
  return Effect.sync(() => clearTimeout(timer))
})

/** Waits until something has happened, however busy the machine is. What never happens is ended by the test's limit. */
export const until = (happened: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => happened() ? Effect.void : Effect.andThen(moment, until(happened)))
