import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import * as Tool from "../../../src/domain/Tool.ts"
import * as RuleSourcesLayers from "../../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../../src/layers/Telemetry.ts"
import { layer, Pipeline } from "../../../src/pipeline.ts"
import { context, services, use } from "../../support/services.ts"

const letter = (digit: string): string => "abcdefghij"[Number(digit)] ?? ""

const probe = Tool.make({
  name: "Probe",
  description: "a tool",
  input: Schema.Struct({ n: Schema.Int }),
  handler: ({ n }) =>
    Effect.sync(() => {
      throw Object.assign(new Error("x"), { name: `Error${[...String(n)].map(letter).join("")}` })
    })
})

// In a process of its own, since no series is left there for what others count.
describe("Telemetry", () => {
  it.effect("a tool that names its errors by chance makes no endless series", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      for (let n = 1_000; n < 2_500; n++) yield* one.run(use("Probe", { n }, `t${n}`))
      const all = yield* Metric.snapshot
      const counts = all.flatMap(({ id, state }) =>
        id === "toolgate.calls" && "count" in state ? [Number(state.count)] : []
      )
      assert.strictEqual(counts.length, 1_001)
      assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), 1_500)
    }).pipe(Effect.provide(
      layer(context).pipe(
        Layer.provide(services({
          tools: [probe],
          rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })
        })),
        Layer.provide(TelemetryLayers.layer())
      )
    )))
})
