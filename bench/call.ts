/** One call of a tool that does nothing through all eight stages, services in memory, beside a floor and others. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { standard } from "../src/domain/AuditEntry.ts"
import * as Tool from "../src/domain/Tool.ts"
import * as AuditLogLayers from "../src/layers/AuditLog.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../src/layers/Telemetry.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { context, services, use } from "../test/support/services.ts"
import type { Task } from "./alternate.ts"
import type { Group } from "./Group.ts"
import { callers } from "./peers.ts"

const nothing = Tool.make({
  name: "Nothing",
  description: "does nothing",
  input: Schema.Struct({}),
  concurrencySafe: () => true,
  handler: () => Effect.succeed("")
})

const ours = async (around: Layer.Layer<never>, audit: boolean): Promise<Task> => {
  const parts = services({
    tools: [nothing],
    rules: RuleSourcesLayers.layerMemory({
      texts: { session: { allow: ["Nothing"] } },
      ...(audit ? { audit: standard } : {})
    })
  })
  const runtime = ManagedRuntime.make(layer(context).pipe(Layer.provide(parts), Layer.provideMerge(around)))
  const one = await runtime.runPromise(Pipeline)
  const run = Effect.runPromiseWith(await runtime.context())
  return () => run(one.run(use("Nothing")))
}

const kit = Toolkit.make(
  AiTool.make("Nothing", { description: "does nothing", parameters: Schema.Struct({}), success: Schema.String })
)

const handle = async (around: Context.Context<never>): Promise<Task> => {
  const handlers = await Effect.runPromise(Effect.provide(kit, kit.toLayer({ Nothing: () => Effect.succeed("") })))
  const run = Effect.runPromiseWith(around)
  return () => run(Effect.flatMap(handlers.handle("Nothing", {}), Stream.runDrain))
}

/** What eight steps cost by themselves. */
const floor: Task = async () => {
  let call: Record<string, unknown> = use("Nothing")
  for (const stage of stages) call = await stage(call)
  return call
}

const stages = ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"].map((stage) =>
// Each hands on what it got and its own part, as ours do.
async (call: Record<string, unknown>): Promise<Record<string, unknown>> => ({ ...call, [stage]: true }))

export const groups = async (): Promise<ReadonlyArray<Group>> => {
  const peers = await callers()
  const state = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
  process.on("exit", () => rmSync(state, { recursive: true }))
  const telemetry = TelemetryLayers.layer()
  const traced = Layer.merge(telemetry, Layer.succeed(Tracer.Tracer, Tracer.nativeTracer))
  const audited = AuditLogLayers.layerFiles(state).pipe(Layer.provide(NodeServices.layer))
  return [{
    title: "a call of a tool that does nothing",
    tasks: {
      toolgate: await ours(Layer.empty, false),
      "toolgate with numbers": await ours(telemetry, false),
      "toolgate with numbers and spans": await ours(traced, false),
      "toolgate with numbers and an audit log": await ours(Layer.merge(telemetry, audited), true),
      "eight async functions": floor,
      "effect/ai Toolkit handle": await handle(Context.empty()),
      "effect/ai Toolkit handle with spans": await handle(Context.make(Tracer.Tracer, Tracer.nativeTracer)),
      ...peers?.tasks
    },
    ...(peers?.marginal === undefined ? {} : { marginal: peers.marginal })
  }]
}
