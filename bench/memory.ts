/**
 * Bytes that a call allocates, beside one of `effect/ai`, and bytes that one holds while it waits for an answer: prints
 * them as JSON. They hardly depend on what else the machine does, so that a test can hold on to them.
 *
 * While bytes are counted nothing may be collected, so that there has to be room for all of them: start it with
 * `npm run bench:memory`.
 */
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tool from "../src/domain/Tool.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { Approver } from "../src/services/Approver.ts"
import { context, services, use } from "../test/support/services.ts"

const collect = (): void => {
  if (globalThis.gc === undefined) throw new Error("start it with `npm run bench:memory`")
  globalThis.gc()
}

const nothing = Tool.make({
  name: "Nothing",
  description: "does nothing",
  input: Schema.Struct({}),
  handler: () => Effect.succeed("")
})

/** Bytes for one time, once everything is compiled. */
const allocated = async (task: () => Promise<unknown>): Promise<number> => {
  const times = 1_000
  for (let at = 0; at < 5_000; at++) await task()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < times; at++) await task()
  return (process.memoryUsage().heapUsed - before) / times
}

const governed = async (): Promise<number> => {
  const rules = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Nothing"] } } })
  const runtime = ManagedRuntime.make(Layer.provide(layer(context), services({ tools: [nothing], rules })))
  const { run } = await runtime.runPromise(Pipeline)
  return allocated(() => Effect.runPromise(run(use("Nothing"))))
}

const handled = async (): Promise<number> => {
  const kit = Toolkit.make(
    AiTool.make("Nothing", { description: "does nothing", parameters: Schema.Struct({}), success: Schema.String })
  )
  const { handle } = await Effect.runPromise(
    Effect.provide(kit, kit.toLayer({ Nothing: () => Effect.succeed("") }))
  )
  return allocated(() => Effect.runPromise(Effect.flatMap(handle("Nothing", {}), Stream.runDrain)))
}

/** Bytes for one of many calls, all of which wait: each for its own answer, or for its turn to be asked about. */
const waiting = async (sessionOf: (at: number) => string): Promise<number> => {
  const calls = 10_000
  const answer = Deferred.makeUnsafe<never>()
  const approver = Layer.succeed(Approver, { ask: () => Deferred.await(answer), elicit: () => Effect.never })
  const runtime = ManagedRuntime.make(Layer.provide(layer(context), services({ tools: [nothing], approver })))
  const { run } = await runtime.runPromise(Pipeline)
  collect()
  const before = process.memoryUsage().heapUsed
  const fibers = Array.from(
    { length: calls },
    (_, at) => Effect.runFork(run(use("Nothing", {}, `toolu_${at}`), { ...context, session: sessionOf(at) }))
  )
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  const held = (process.memoryUsage().heapUsed - before) / calls
  await Effect.runPromise(Fiber.interruptAll(fibers))
  return held
}

console.log(JSON.stringify({
  call: await governed(),
  handle: await handled(),
  asked: await waiting((at) => `session-${at}`),
  inTurn: await waiting(() => "one")
}))
