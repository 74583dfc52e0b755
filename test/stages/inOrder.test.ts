import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { inOrder } from "../../src/stages/inOrder.ts"

const Call = Schema.Struct({
  safe: Schema.Boolean,
  steps: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
})

describe("inOrder", () => {
  it.effect.prop(
    "effects start in their order, those that may not overlap run alone, and never too many at once",
    { calls: Schema.Array(Call) },
    ({ calls }) =>
      Effect.gen(function*() {
        const ordered = inOrder(3)
        const started: Array<number> = []
        const running = new Set<number>()
        yield* Effect.forEach(
          calls,
          ({ safe, steps }, index) =>
            ordered(
              Effect.succeed(safe),
              Effect.gen(function*() {
                started.push(index)
                running.add(index)
                assert.isAtMost(running.size, 3)
                assert.isTrue(running.size === 1 || [...running].every((one) => calls[one]?.safe === true))
                for (let step = 0; step < steps; step++) yield* Effect.yieldNow
                running.delete(index)
              })
            ),
          { concurrency: "unbounded", discard: true }
        )
        assert.deepStrictEqual(started, calls.map((_, index) => index))
      })
  )

  it.effect("runs everything, whatever number of calls at a time it is told", () =>
    Effect.gen(function*() {
      for (const most of [0, -1, 0.5, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const ordered = inOrder(most)
        const all = yield* Effect.forEach(
          [true, true, false, true],
          (safe, index) => ordered(Effect.succeed(safe), Effect.as(Effect.yieldNow, index)),
          { concurrency: "unbounded" }
        ).pipe(Effect.timeoutOption(5_000))
        assert.deepStrictEqual(Option.getOrUndefined(all), [0, 1, 2, 3], `${most} at a time`)
      }
    }).pipe(TestClock.withLive))

  it.effect("one that is interrupted while it waits or runs leaves room for the others", () =>
    Effect.gen(function*() {
      const ordered = inOrder(2)
      const holds = yield* Effect.forkChild(ordered(Effect.succeed(false), Effect.never))
      const waits = yield* Effect.forkChild(ordered(Effect.succeed(false), Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waits)
      yield* Fiber.interrupt(holds)
      assert.strictEqual(yield* ordered(Effect.succeed(false), Effect.succeed(1)), 1)
    }))
})
