import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import type { ToolResult } from "../../src/domain/ToolResult.ts"
import { evaluate } from "../../src/repl/evaluate.ts"
import type { FromThread, ToThread } from "../../src/repl/messages.ts"
import type { Thread } from "../../src/repl/startThread.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"

/** A thread that does as the test says: what it is told is answered by what `answer` gives. */
const thread = (answer: (message: ToThread) => ReadonlyArray<FromThread>) => {
  const told: Array<ToThread> = []
  let heard: (message: FromThread) => void = () => undefined
  const made: Thread = {
    tell: (message) => {
      told.push(message)
      answer(message).forEach(heard)
    },
    listen: (listener) => {
      heard = listener.heard
    },
    leave: () => undefined,
    end: () => Promise.resolve()
  }
  return { made, told }
}

const calling = (message: ToThread): ReadonlyArray<FromThread> => {
  switch (message._tag) {
    case "Evaluate":
      return [{ _tag: "Called", call: 1, tool: "Slow", json: "{}" }]
    case "Settle":
      return [{ _tag: "Ended", evaluated: { _tag: "Value", text: message.json } }]
    case "Abandon":
      return [{ _tag: "Abandoned", idle: true }]
  }
}

const block: ToolResult = { type: "tool_result", tool_use_id: "toolu_1_1", content: "done" }

const request = (call: Effect.Effect<ToolResult>, limitMillis = 1_000) => ({
  code: "",
  limitMillis,
  said: () => Effect.void,
  tools: { names: Effect.succeed(["Slow"]), call: () => call }
})

// What is looked at of these two is when they come, and for which call.
const asked = { _tag: "Asked", id: "toolu_1_1" } as CallEvent
const answered = { _tag: "Answered", id: "toolu_1_1" } as CallEvent

describe("evaluate", () => {
  it.effect("a call that takes too long is ended, and what only waits is kept", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const slow = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
      const { made, told } = thread(calling)
      const fiber = yield* Effect.forkChild(evaluate(made, request(slow), Effect.die("it was lost")))
      yield* TestClock.adjust(999)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* TestClock.adjust(51)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "TimedOut", lost: false })
      yield* Deferred.await(ended)
      assert.deepStrictEqual(told.map(({ _tag }) => _tag), ["Evaluate", "Abandon"])
    }))

  it.effect("the time in which a person is asked does not count", () =>
    Effect.gen(function*() {
      const answer = yield* Deferred.make<void>()
      const slow = Effect.gen(function*() {
        const publish = yield* CallEvents
        yield* publish(asked)
        yield* Deferred.await(answer)
        yield* publish(answered)
        yield* Effect.sleep(900)
        return block
      })
      const fiber = yield* Effect.forkChild(evaluate(thread(calling).made, request(slow), Effect.die("it was lost")))
      yield* TestClock.adjust(60_000)
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust(900)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "Value", text: "\"done\"", lost: false })
    }))

  it.effect("a thread that does not say that it stands still is ended", () =>
    Effect.gen(function*() {
      let lost = 0
      const lose = Effect.sync(() => void lost++)
      const busy = thread(() => []).made
      const fiber = yield* Effect.forkChild(evaluate(busy, request(Effect.never), lose))
      yield* TestClock.adjust(2_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "TimedOut", lost: true })
      assert.strictEqual(lost, 1)
      const running = thread(({ _tag }) => _tag === "Abandon" ? [{ _tag: "Abandoned", idle: false }] : []).made
      const other = yield* Effect.forkChild(evaluate(running, request(Effect.never), lose))
      yield* TestClock.adjust(1_100)
      assert.deepStrictEqual(yield* Fiber.join(other), { _tag: "TimedOut", lost: true })
      assert.strictEqual(lost, 2)
    }))

  it.effect("a call that dies is answered all the same", () =>
    Effect.gen(function*() {
      const outcome = yield* evaluate(thread(calling).made, request(Effect.die("a fault")), Effect.die("it was lost"))
      assert.deepStrictEqual(outcome, { _tag: "Value", text: "\"the call failed without saying why\"", lost: false })
    }))

  it.effect("a thread that ends by itself is lost", () =>
    Effect.gen(function*() {
      let lost = false
      const made: Thread = {
        ...thread(() => []).made,
        listen: (listener) => listener.broken()
      }
      const outcome = yield* evaluate(
        made,
        request(Effect.never),
        Effect.sync(() => {
          lost = true
        })
      )
      assert.deepStrictEqual(outcome, { _tag: "Broken", reason: "it ended by itself", lost: true })
      assert.isTrue(lost)
    }))
})
