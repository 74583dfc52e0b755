import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import { nothingAfter } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import type { ToolUse } from "../../src/domain/ToolUse.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import type { HookBatch } from "../../src/services/HookRunner.ts"
import { context, hooks, services, use } from "../support/services.ts"

const echo = Tool.make({
  name: "Echo",
  description: "says it again",
  input: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => text === "wait" ? Effect.never : Effect.succeed(text)
})

const uses = [use("Echo", { text: "one" }, "a"), use("Nope", {}, "b"), use("Echo", { text: "two" }, "c")]

const runAll = (
  seen: Array<HookBatch>,
  said: ReadonlyArray<string>,
  more: ReadonlyArray<ToolUse> = [],
  endsTurn?: string
) =>
  Effect.flatMap(
    Pipeline,
    (pipeline) => pipeline.runAll([...uses, ...more], more.length === 0 ? {} : { cancel: Effect.succeed("cancelled") })
  ).pipe(
    Effect.provide(Layer.provide(
      layer(context),
      services({
        tools: [echo],
        rules: RuleSourcesLayers.layerMemory({ texts: { userSettings: { allow: ["Echo"] } } }),
        hooks: hooks({
          postToolBatch: (batch) =>
            Effect.sync(() => {
              seen.push(batch)
              return { ...nothingAfter, context: said, endsTurn }
            })
        })
      })
    ))
  )

describe("batchHook", () => {
  it.effect("hooks see all calls of a message once, in order, with what the model reads", () =>
    Effect.gen(function*() {
      const seen: Array<HookBatch> = []
      const results = yield* runAll(seen, [])
      assert.deepStrictEqual(seen.map(({ calls }) => calls.map(({ id, tool }) => [id, tool])), [
        [["a", "Echo"], ["b", "Nope"], ["c", "Echo"]]
      ])
      assert.deepStrictEqual(
        seen[0]?.calls.map(({ response }) => response),
        results.map(({ content }) => textOf(content))
      )
    }))

  it.effect("what they tell the model stands in the last result alone", () =>
    Effect.gen(function*() {
      const [first, , last] = yield* runAll([], ["mind the gap"])
      assert.strictEqual(first?.content, "one")
      assert.strictEqual(last?.content, "two\n\n[note: mind the gap]")
    }))

  it.effect("whoever watches the batch learns that a hook ended the turn, and why", () =>
    Effect.gen(function*() {
      const seen: Array<CallEvent> = []
      const results = yield* runAll([], [], [], "enough for today").pipe(
        Effect.provideService(CallEvents, (event) => Effect.sync(() => seen.push(event)))
      )
      assert.strictEqual(results.length, 3)
      assert.deepStrictEqual(seen.at(-1), { _tag: "TurnEnded", id: "c", reason: "enough for today" })
    }))

  it.effect("a message that was cancelled is shown to no hook", () =>
    Effect.gen(function*() {
      const seen: Array<HookBatch> = []
      const results = yield* runAll(seen, ["x"], [use("Echo", { text: "wait" }, "d")])
      assert.strictEqual(results.length, 4)
      assert.deepStrictEqual(seen, [])
    }))
})
