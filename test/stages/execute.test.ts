import { assert, describe, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { ToolFailed } from "../../src/errors/ExecuteError.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import { execute } from "../../src/stages/execute.ts"
import { permission } from "../../src/stages/permission.ts"
import { screened } from "../support/calls.ts"
import { given } from "../support/given.ts"
import { services } from "../support/services.ts"

const probe = <E>(
  handler: (context: Tool.ToolContext) => Effect.Effect<unknown, E>,
  limits: { readonly timeoutMillis?: number } = {}
) =>
  Tool.make({
    name: "Probe",
    description: "a tool",
    input: Schema.Struct({}),
    handler: (_, context) => handler(context),
    ...limits
  })

const run = (tool: Tool.Tool) =>
  screened(tool).pipe(
    Effect.flatMap(given(permission)),
    Effect.flatMap(given(execute)),
    Effect.scoped,
    Effect.provide(services({ rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } }) }))
  )

const failure = (tool: Tool.Tool) =>
  Effect.map(run(tool), ({ settled }) => settled._tag === "Failure" ? settled.error : undefined)

class Sold extends Data.TaggedError("Sold")<{ readonly left: number }> {}

describe("execute", () => {
  it.effect("a value settles as a success", () =>
    Effect.gen(function*() {
      const { settled } = yield* run(probe(() => Effect.succeed({ count: 2 })))
      assert.deepStrictEqual(settled, { _tag: "Success", output: { value: { count: 2 }, content: "{\"count\":2}" } })
    }))

  it.effect("a failure of the tool's own kind is kept as it is", () =>
    Effect.gen(function*() {
      const own = new ToolFailed({ reason: "the disk is full", exitCode: 3 })
      assert.strictEqual(yield* failure(probe(() => Effect.fail(own))), own)
    }))

  it.effect("whatever else a tool fails, throws or dies with is wrapped", () =>
    Effect.gen(function*() {
      const ends: ReadonlyArray<readonly [Effect.Effect<never, unknown>, string]> = [
        [Effect.fail("plain words"), "plain words"],
        [Effect.fail({ message: "an error" }), "an error"],
        [Effect.fail(new Sold({ left: 2 })), "{\"left\":2,\"_tag\":\"Sold\"}"],
        [Effect.fail({ odd: true }), "{\"odd\":true}"],
        [Effect.fail(404), "404"],
        [Effect.fail({}), "the tool failed without saying why"],
        [Effect.fail(""), "the tool failed without saying why"],
        [Effect.fail(null), "the tool failed without saying why"],
        [Effect.die(undefined), "the tool failed without saying why"],
        [Effect.die(new Error("")), "the tool failed without saying why"],
        [
          Effect.fail(
            new Proxy({}, {
              has: () => {
                throw new TypeError("don't look at me")
              }
            })
          ),
          "the tool failed without saying why"
        ],
        [Effect.die(new TypeError("a defect")), "a defect"],
        [
          Effect.sync(() => {
            throw new RangeError("thrown")
          }),
          "thrown"
        ],
        [Effect.interrupt, "the tool stopped itself"]
      ]
      for (const [end, reason] of ends) {
        const error = yield* failure(probe(() => end))
        assert.strictEqual(error?._tag, "ToolFailed")
        assert.strictEqual(error?.message, reason)
      }
    }))

  it.effect("a handler that throws before it gives an effect is a failure too", () =>
    Effect.gen(function*() {
      const error = yield* failure(probe(() => {
        throw new Error("at once")
      }))
      assert.strictEqual(error?.message, "at once")
    }))

  it.effect("a tool is stopped at its limit", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(failure(probe(() => Effect.never, { timeoutMillis: 2_000 })))
      yield* TestClock.adjust(2_000)
      assert.strictEqual((yield* Fiber.join(fiber))?._tag, "ToolTimedOut")
    }))

  it.effect("interruption from outside stays interruption, and the tool's finalizers run first", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<AbortSignal>()
      const closed = yield* Deferred.make<void>()
      const tool = probe(({ signal }) =>
        Effect.andThen(Deferred.succeed(started, signal), Effect.never).pipe(
          Effect.ensuring(Deferred.succeed(closed, undefined))
        )
      )
      const fiber = yield* Effect.forkChild(run(tool))
      const signal = yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      assert.isTrue(yield* Deferred.isDone(closed))
      assert.isTrue(signal.aborted)
    }))

  it.effect("progress goes to whoever watches, in order", () =>
    Effect.gen(function*() {
      const seen: Array<CallEvent> = []
      const tool = probe(({ progress }) =>
        Effect.forEach(["a", "b"], (text) => progress({ channel: "stdout", text }), { discard: true })
      )
      yield* run(tool).pipe(Effect.provideService(CallEvents, (event) => Effect.sync(() => seen.push(event))))
      assert.deepStrictEqual(
        seen.filter((event) => event._tag === "Progress").map(({ text }) => text),
        ["a", "b"]
      )
    }))

  it.effect("what a tool saw of a file is there at the next call of the session", () =>
    Effect.gen(function*() {
      const state = { mtimeMillis: 1, size: 2, hash: "h", whole: true }
      const saving = probe(({ saw }) => saw("/repo/a", state))
      const asking = probe(({ seen }) => Effect.map(seen("/repo/a"), (found) => found ?? "nothing"))
      const through = (tool: Tool.Tool) =>
        screened(tool).pipe(Effect.flatMap(given(permission)), Effect.flatMap(given(execute)), Effect.scoped)
      yield* through(saving)
      const { settled } = yield* through(asking)
      assert.deepStrictEqual(settled._tag === "Success" ? settled.output.value : undefined, state)
    }).pipe(
      Effect.provide(services({ rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } }) }))
    ))
})
