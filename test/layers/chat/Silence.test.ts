import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Silence from "../../../src/layers/chat/Silence.ts"
import { hookServer } from "../hooks/hookServer.ts"

const limit = Duration.minutes(2)

describe("a watch over an answer", () => {
  it.effect("waits ten minutes for the first byte, or longer where that is the limit", () =>
    Effect.gen(function*() {
      for (const [limit, wait] of [[2, 10], [30, 30]] as const) {
        const silence = yield* Silence.make(Duration.minutes(limit))
        const watching = yield* Effect.forkChild(Effect.flip(silence.broken), { startImmediately: true })
        yield* TestClock.adjust(Duration.millis(wait * 60_000 - 1))
        assert.isUndefined(watching.pollUnsafe())
        yield* TestClock.adjust(1)
        const { message, retryable } = yield* Fiber.join(watching)
        assert.deepStrictEqual([message, retryable], [`the model fell silent: nothing came for ${wait}m`, true])
      }
    }))

  it.effect("counts every byte, pings too", () =>
    Effect.gen(function*() {
      const server = yield* hookServer((_, response) => {
        response.write("event: ping\ndata: {}\n\n")
        response.on("close", () => response.destroy())
      })
      const silence = yield* Silence.make(limit)
      const response = yield* Effect.promise(() => silence.fetch(server.address, { method: "POST" }))
      const reader = response.body?.getReader()
      yield* TestClock.adjust("9 minutes")
      const read = yield* Effect.promise(async () => reader?.read())
      assert.match(new TextDecoder().decode(read?.value), /ping/)

      const watching = yield* Effect.forkChild(Effect.exit(silence.broken), { startImmediately: true })
      yield* TestClock.adjust(Duration.millis(119_999))
      assert.isUndefined(watching.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(watching)))
      yield* Effect.promise(async () => reader?.cancel())
    }).pipe(Effect.scoped))
})
