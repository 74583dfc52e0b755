/** A time limit that comes when a command has come to a certain point, and not before. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { moment } from "./until.ts"

/**
 * Runs something whose time stands still until something else has happened. Then it is as late as its limit, and time
 * goes on at its usual pace for what it does at last.
 */
export const atLimit =
  (millis: number, happened: Effect.Effect<void>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(effect)
      yield* happened
      yield* TestClock.adjust(millis)
      while (fiber.pollUnsafe() === undefined) {
        yield* moment
        yield* TestClock.adjust(20)
      }
      return yield* Fiber.join(fiber)
    })
