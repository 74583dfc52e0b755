/**
 * What the pipeline adds to a call of a tool that does nothing: all eight stages, services in memory.
 *
 * The machine's own speed is in the first row: compare ratios, not times.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Bench } from "tinybench"
import { standard } from "../src/domain/AuditEntry.ts"
import * as Tool from "../src/domain/Tool.ts"
import * as AuditLogLayers from "../src/layers/AuditLog.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../src/layers/Telemetry.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { context, services, use } from "../test/support/services.ts"

const nothing = Tool.make({
  name: "Nothing",
  description: "does nothing",
  input: Schema.Struct({}),
  concurrencySafe: () => true,
  handler: () => Effect.succeed("")
})

const pipeline = async (around: Layer.Layer<never>, audit: boolean) => {
  const parts = services({
    tools: [nothing],
    rules: RuleSourcesLayers.layerMemory({
      texts: { session: { allow: ["Nothing"] } },
      ...(audit ? { audit: standard } : {})
    })
  })
  const runtime = ManagedRuntime.make(layer(context).pipe(Layer.provide(parts), Layer.provideMerge(around)))
  const one = await runtime.runPromise(Pipeline)
  const call = use("Nothing")
  return () => runtime.runPromise(one.run(call))
}

const state = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
const tracer = Layer.succeed(Tracer.Tracer, Tracer.nativeTracer)
const telemetry = TelemetryLayers.layer()

const bench = new Bench({ time: 1_000, warmupTime: 500 })
const words = "npm test --silent".repeat(4)
bench.add("baseline: split and join 68 characters", () => words.split(" ").join("-"))
bench.add("an effect that does nothing", () => Effect.runPromise(Effect.void))
bench.add("one governed call", await pipeline(Layer.empty, false))
bench.add("the same with numbers", await pipeline(telemetry, false))
bench.add("the same with numbers and spans", await pipeline(Layer.merge(telemetry, tracer), false))
bench.add(
  "the same with numbers and an audit log",
  await pipeline(
    Layer.merge(telemetry, AuditLogLayers.layerFiles(state).pipe(Layer.provide(NodeServices.layer))),
    true
  )
)

await bench.run()
rmSync(state, { recursive: true })

const first = bench.tasks[0]?.result
const unit = first?.state === "completed" ? first.latency.p50 : Number.NaN
console.table(bench.tasks.map(({ name, result }) => {
  const micros = result.state === "completed" ? result.latency.p50 * 1_000 : Number.NaN
  return { name, "µs (median)": micros.toFixed(1), "× baseline": (micros / 1_000 / unit).toFixed(0) }
}))
