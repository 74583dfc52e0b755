import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Tools } from "../../src/domain/Tool.ts"
import * as Sessions from "../../src/repl/Sessions.ts"

const keeping = Layer.fresh(Sessions.layer({ unused: Effect.sleep(`${Sessions.keptMinutes} minutes`) }))

const noTools: Tools = { names: Effect.succeed([]), call: () => Effect.die("there is none") }

const evaluate = (code: string, session = "s", tools = noTools) =>
  Effect.flatMap(
    Sessions.Sessions,
    (sessions) => sessions.evaluate(session, { code, limitMillis: 1e9, tools, said: () => Effect.void })
  ).pipe(
    Effect.map((outcome) => [outcome._tag === "Value" ? outcome.text : outcome._tag, outcome.before])
  )

describe("a session", () => {
  it.effect("is kept for half an hour from its last use", () =>
    Effect.gen(function*() {
      yield* evaluate("const a = 1")
      for (let step = 0; step < 3; step++) {
        yield* TestClock.adjust("29 minutes")
        assert.deepStrictEqual(yield* evaluate("a"), ["1", undefined])
      }
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(yield* evaluate("typeof a"), ["undefined", "unused"])
      assert.deepStrictEqual(yield* evaluate("typeof a"), ["undefined", undefined])
    }).pipe(Effect.provide(keeping)))

  it.effect("is not ended while it is in use, nor with another", () =>
    Effect.gen(function*() {
      const called = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const tools: Tools = {
        names: Effect.succeed(["Wait"]),
        call: () =>
          Effect.andThen(Deferred.succeed(called, undefined), Deferred.await(answer)).pipe(
            Effect.as({ type: "tool_result", tool_use_id: "w", content: "waited" })
          )
      }
      yield* evaluate("const a = 1", "short")
      const long = yield* Effect.forkChild(evaluate("await tools.Wait({})", "long", tools))
      yield* Deferred.await(called)
      yield* TestClock.adjust("2 hours")
      yield* Deferred.succeed(answer, undefined)
      assert.deepStrictEqual(yield* Fiber.join(long), ["waited", undefined])
      assert.deepStrictEqual(yield* evaluate("typeof a", "short"), ["undefined", "unused"])
    }).pipe(Effect.provide(keeping)))
})
