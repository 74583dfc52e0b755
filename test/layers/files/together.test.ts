import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { makeTogether } from "../../../src/layers/files/together.ts"

const kept = (start: ReadonlyArray<string> = []) => {
  const place = { value: start, writes: 0 }
  const write = (changed: (before: ReadonlyArray<string>) => ReadonlyArray<string>) =>
    Effect.gen(function*(): Effect.fn.Return<void, string> {
      yield* Effect.yieldNow
      place.value = changed(place.value)
      place.writes++
      yield* Effect.yieldNow
    })
  return { place, write }
}

const add = (word: string) => (words: ReadonlyArray<string>) => [...words, word]

describe("makeTogether", () => {
  it.effect("changes that wait are made in one write, in order, each with what it came to", () =>
    Effect.gen(function*() {
      const together = makeTogether<ReadonlyArray<string>, string>()
      const { place, write } = kept()
      const seen = yield* Effect.forEach(["a", "b", "c", "d"], (word) => together("one", add(word), write), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(place.value, ["a", "b", "c", "d"])
      assert.deepStrictEqual(seen.map((words) => words.length), [1, 2, 3, 4])
      assert.isAtMost(place.writes, 2)
    }))

  it.effect("names don't wait for each other", () =>
    Effect.gen(function*() {
      const together = makeTogether<ReadonlyArray<string>, string>()
      const gate = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(together("one", add("a"), () => Deferred.await(gate)))
      const { write } = kept()
      assert.deepStrictEqual(yield* together("two", add("b"), write), ["b"])
      yield* Fiber.interrupt(waiting)
    }))

  it.effect("who is interrupted while waiting has changed nothing, and holds up nobody", () =>
    Effect.gen(function*() {
      const together = makeTogether<ReadonlyArray<string>, string>()
      const gate = yield* Deferred.make<void>()
      const { place, write } = kept()
      const first = yield* Effect.forkChild(
        together("one", add("a"), (changed) => Effect.andThen(Deferred.await(gate), write(changed)))
      )
      yield* Effect.yieldNow
      const second = yield* Effect.forkChild(together("one", add("b"), write))
      const third = yield* Effect.forkChild(together("one", add("c"), write))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* Fiber.await(third)
      assert.deepStrictEqual(place.value, ["c"])
    }))

  it.effect("a write that fails fails for those who were in it, and the next one is tried", () =>
    Effect.gen(function*() {
      const together = makeTogether<ReadonlyArray<string>, string>()
      const { place, write } = kept()
      const full = (changed: (before: ReadonlyArray<string>) => ReadonlyArray<string>) =>
        Effect.suspend(() => {
          changed(place.value)
          return Effect.andThen(Effect.yieldNow, Effect.fail("full"))
        })
      const exits = yield* Effect.forEach(["a", "b"], (word) => Effect.exit(together("one", add(word), full)), {
        concurrency: "unbounded"
      })
      assert.isTrue(exits.every(Exit.isFailure))
      assert.deepStrictEqual(yield* together("one", add("c"), write), ["c"])
    }))

  it.effect("a change that throws is nobody else's fault", () =>
    Effect.gen(function*() {
      const together = makeTogether<ReadonlyArray<string>, string>()
      const { place, write } = kept()
      const bad = () => {
        throw new TypeError("bug")
      }
      const exits = yield* Effect.forEach([add("a"), bad, add("c")], (change) =>
        Effect.exit(together("one", change, write)), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
      assert.deepStrictEqual(place.value, ["a", "c"])
    }))
})
