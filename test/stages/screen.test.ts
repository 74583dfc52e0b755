import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ValidCall } from "../../src/domain/Call.ts"
import type { ClassifierVerdict } from "../../src/domain/ClassifierVerdict.ts"
import { silent } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { Classifier } from "../../src/services/Classifier.ts"
import { screen } from "../../src/stages/screen.ts"
import { validate } from "../../src/stages/validate.ts"
import { given } from "../support/given.ts"
import { context, hooks, use } from "../support/services.ts"

const echo = Tool.make({
  name: "Echo",
  description: "says it again",
  input: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => Effect.succeed(text)
})

const call = (text: string): Effect.Effect<ValidCall> =>
  Effect.orDie(validate({ use: use("Echo", { text }), context, tool: echo, notes: [] }))

const permit: ClassifierVerdict = { verdict: "allow", description: "say things" }

const classifier = (judge: Classifier["Service"]["judge"]): Layer.Layer<Classifier> =>
  Layer.succeed(Classifier, { judge, readOnly: () => ({ readOnly: false, why: "not asked" }) })

describe("screen", () => {
  it.effect("the hooks do not wait for the classifier", () =>
    Effect.gen(function*() {
      const verdict = yield* Deferred.make<ClassifierVerdict>()
      const screened = yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.provide([classifier(() => Deferred.await(verdict)), hooks(), RuleSourcesLayers.layerMemory()])
      )
      yield* Deferred.succeed(verdict, permit)
      assert.deepStrictEqual(yield* screened.pending, permit)
    }))

  it.effect("hooks and classifier start together", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const screened = yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.provide([
          classifier(() => Effect.as(Deferred.succeed(started, undefined), permit)),
          hooks({ preToolUse: () => Effect.as(Deferred.await(started), silent) }),
          RuleSourcesLayers.layerMemory()
        ])
      )
      assert.strictEqual(screened.hook.decision, "none")
    }))

  it.effect("the end of the call ends the classifier", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const endless = Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
      )
      yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.andThen(Deferred.await(started)),
        Effect.provide([classifier(() => endless), hooks(), RuleSourcesLayers.layerMemory()]),
        Effect.scoped
      )
      assert.isTrue(yield* Deferred.isDone(ended))
    }))

  it.effect("a classifier that dies has no opinion", () =>
    Effect.gen(function*() {
      const screened = yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.provide([classifier(() => Effect.die("out of order")), hooks(), RuleSourcesLayers.layerMemory()])
      )
      assert.isUndefined(yield* screened.pending)
    }))

  it.effect("an input that a hook rewrote is validated, judged anew, and kept beside the original", () =>
    Effect.gen(function*() {
      const judged: Array<unknown> = []
      const screened = yield* Effect.flatMap(call("before"), given(screen)).pipe(
        Effect.provide([
          classifier((subject) => Effect.as(Effect.sync(() => judged.push(subject)), undefined)),
          hooks({ preToolUse: () => Effect.as(Effect.yieldNow, { ...silent, rewritten: { text: "after" } }) }),
          RuleSourcesLayers.layerMemory()
        ])
      )
      assert.deepStrictEqual(screened.invocation.input, { text: "after" })
      assert.deepStrictEqual(screened.original?.invocation.input, { text: "before" })
      assert.deepStrictEqual(screened.notes, [{ audience: "person", text: "a hook rewrote the input of `Echo`" }])
      yield* screened.pending
      yield* screened.pending
      assert.strictEqual(judged.length, 2)
    }))

  it.effect("a rewritten input of the wrong shape ends the call", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.provide([
          classifier(() => Effect.undefined),
          hooks({ preToolUse: () => Effect.succeed({ ...silent, rewritten: { text: 5 } }) }),
          RuleSourcesLayers.layerMemory()
        ]),
        Effect.flip
      )
      assert.strictEqual(error._tag, "InputInvalid")
      assert.include(error.message, "the input that a hook wrote for `Echo` is not valid: `text`")
    }))

  it.effect("what hooks tell a person becomes a note for the person", () =>
    Effect.gen(function*() {
      const screened = yield* Effect.flatMap(call("a"), given(screen)).pipe(
        Effect.provide([
          classifier(() => Effect.undefined),
          hooks({ preToolUse: () => Effect.succeed({ ...silent, messages: ["mind the gap"] }) }),
          RuleSourcesLayers.layerMemory()
        ])
      )
      assert.deepStrictEqual(screened.notes, [{ audience: "person", text: "mind the gap" }])
    }))
})
