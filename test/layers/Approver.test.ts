import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Answer } from "../../src/domain/Question.ts"
import * as Approver from "../../src/layers/Approver.ts"
import { Approver as Service } from "../../src/services/Approver.ts"
import { harmless } from "./approver/question.ts"

const ask = (touched: Effect.Effect<void> = Effect.void) =>
  Effect.flatMap(Service, (approver) => approver.ask(harmless, touched))

describe("Approver", () => {
  it.effect("denying says that nobody was asked, and why", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ask(), { _tag: "Nobody", why: "asking is switched off" })
    }).pipe(Effect.provide(Approver.layerDeny())))

  it.effect("a script answers in turn, then says that nobody is left", () =>
    Effect.gen(function*() {
      const answers = [yield* ask(), yield* ask(), yield* ask()]
      assert.deepStrictEqual(answers.map((answer) => answer._tag), ["Once", "Denied", "Nobody"])
    }).pipe(Effect.provide(Approver.layerScripted([{ _tag: "Once" }, { _tag: "Denied", reason: "no" }]))))

  it.effect("an application's own effect is asked with the question", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ask(), { _tag: "Denied", reason: "Bash" })
    }).pipe(
      Effect.provide(Approver.layerFunction(({ tool }) => Effect.succeed<Answer>({ _tag: "Denied", reason: tool })))
    ))

  it.effect("an application's own effect that fails or dies has asked nobody", () =>
    Effect.gen(function*() {
      const promise: Effect.Effect<never> = Promise.resolve() as never
      for (const failing of [Effect.fail("offline"), Effect.die(new Error("bug")), promise]) {
        const answer = yield* ask().pipe(Effect.provide(Approver.layerFunction(() => failing)))
        assert.deepStrictEqual(answer, { _tag: "Nobody", why: "asking failed" })
      }
    }))

  it.effect("an application's own effect is interrupted when the question is taken back", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const takenBack = yield* Deferred.make<void>()
      const waiting = Approver.layerFunction(() =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(takenBack, undefined))
        )
      )
      const fiber = yield* Effect.forkChild(Effect.provide(ask(), waiting))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(takenBack))
    }))
})
