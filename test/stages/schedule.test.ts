import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { schedule } from "../../src/stages/schedule.ts"

describe("a schedule", () => {
  it.effect("starts work while more of it is still to come", () =>
    Effect.gen(function*() {
      const { add, ended } = yield* schedule<string>(10)
      const started = yield* Deferred.make<void>()
      const more = yield* Deferred.make<string>()
      yield* add(Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(more)), false)
      yield* Deferred.await(started)
      yield* add(Effect.succeed("second"), true)
      yield* Deferred.succeed(more, "first")
      assert.deepStrictEqual(yield* ended, ["first", "second"])
    }).pipe(Effect.scoped))

  it.effect("ends what runs with its scope", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<boolean>()
      const started = yield* Deferred.make<void>()
      yield* Effect.scoped(Effect.gen(function*() {
        const { add } = yield* schedule<never>(10)
        yield* add(
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(interrupted, true))
          ),
          true
        )
        yield* Deferred.await(started)
      }))
      assert.isTrue(yield* Deferred.await(interrupted))
    }))

  it.effect.prop(
    "never runs two at once of which one may not overlap, never more than it may, and keeps the order",
    [
      Schema.Array(Schema.Boolean).check(Schema.isMaxLength(12)),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))
    ],
    ([overlapping, concurrency]) =>
      Effect.gen(function*() {
        const running = new Set<number>()
        const ran: Array<number> = []
        let wrong = 0
        const { add, ended } = yield* schedule<number>(concurrency)
        for (const [at, overlaps] of overlapping.entries()) {
          const work = Effect.gen(function*() {
            running.add(at)
            ran.push(at)
            if (running.size > concurrency) wrong++
            if (running.size > 1 && [...running].some((one) => overlapping[one] === false)) wrong++
            for (let turn = 0; turn < (at * 7) % 5; turn++) yield* Effect.yieldNow
            running.delete(at)
            return at
          })
          yield* add(work, overlaps)
          if (at % 3 === 0) yield* Effect.yieldNow
        }
        const all = overlapping.map((_, at) => at)
        assert.deepStrictEqual(yield* Effect.flatMap(Effect.forkChild(ended), Fiber.join), all)
        assert.deepStrictEqual(ran, all)
        assert.strictEqual(wrong, 0)
      }).pipe(Effect.scoped)
  )
})
