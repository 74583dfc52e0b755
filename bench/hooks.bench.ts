/**
 * What is waited for before a tool runs: hooks and classifier beside each other, and the cost of having no hooks.
 *
 * Run it with `node bench/hooks.bench.ts`. Compare ratios, not times: each row is measured in the same run as those that
 * it is compared with.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import { nothingAfter, silent } from "../src/domain/Hook.ts"
import type { OwnHook } from "../src/domain/OwnHook.ts"
import * as Tool from "../src/domain/Tool.ts"
import * as ApproverLayers from "../src/layers/Approver.ts"
import * as DenialTrackerLayers from "../src/layers/DenialTracker.ts"
import * as HookRunnerLayers from "../src/layers/HookRunner.ts"
import * as PathResolverLayers from "../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as SessionStoreLayers from "../src/layers/SessionStore.ts"
import * as ToolRegistryLayers from "../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { Classifier } from "../src/services/Classifier.ts"
import { HookRunner } from "../src/services/HookRunner.ts"
import { ResultStore } from "../src/services/ResultStore.ts"

const bash = Tool.make({
  name: "Bash",
  description: "runs a line",
  input: Schema.Struct({ command: Schema.String }),
  subject: ({ command }) => ({ _tag: "Shell", command }),
  handler: () => Effect.succeed("ran")
})

const classifier = (millis: number) =>
  Layer.succeed(Classifier, {
    readOnly: () => ({ readOnly: false, why: "not asked" }),
    judge: () => Effect.delay(Effect.succeed({ verdict: "allow" as const, description: "anything" }), millis)
  })

const noHooks = Layer.succeed(HookRunner, {
  preToolUse: () => Effect.succeed(silent),
  permissionRequest: () => Effect.succeed({ _tag: "NoAnswer" }),
  permissionDenied: () => Effect.void,
  postToolUse: () => Effect.succeed(nothingAfter),
  postToolUseFailure: () => Effect.succeed(nothingAfter),
  postToolBatch: () => Effect.succeed(nothingAfter)
})

const sleeping = (millis: number): OwnHook => ({
  name: `sleeps ${millis} ms`,
  event: "PreToolUse",
  run: () => Effect.asVoid(Effect.sleep(millis))
})

const paths = PathResolverLayers.layerVirtual({ "/repo": "dir" })
const running = (hooks: ReadonlyArray<OwnHook>) => Layer.provide(HookRunnerLayers.layerWith({ hooks }), paths)

const runtimeOf = (
  hooks: Layer.Layer<HookRunner>,
  classifies: Layer.Layer<Classifier>,
  allow: ReadonlyArray<string> = []
) => {
  const parts = Layer.mergeAll(
    ToolRegistryLayers.layerTools([bash]),
    RuleSourcesLayers.layerMemory({ texts: { userSettings: { allow: [...allow] } }, graceMillis: 1_000 }),
    hooks,
    classifies,
    ApproverLayers.layerDeny(),
    Layer.mock(ResultStore, {}),
    paths,
    DenialTrackerLayers.layerSession()
  ).pipe(Layer.provideMerge(SessionStoreLayers.layerMemory))
  return ManagedRuntime.make(
    Layer.provide(layer({ session: "bench", cwd: "/repo", directories: [] }), parts)
  )
}

const timing = async (runtime: ReturnType<typeof runtimeOf>, rounds: number): Promise<number> => {
  const pipeline = Context.get(await runtime.context(), Pipeline)
  const call = pipeline.run({ type: "tool_use", id: "a", name: "Bash", input: { command: "npm test" } })
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const result = await runtime.runPromise(call)
    times.push(performance.now() - began)
    if (result.is_error === true) throw new Error(`the call was not permitted: ${JSON.stringify(result.content)}`)
  }
  return times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN
}

const rounds = 15
const hook = await timing(runtimeOf(running([sleeping(100)]), classifier(0)), rounds)
const judge = await timing(runtimeOf(running([]), classifier(100)), rounds)
const both = await timing(runtimeOf(running([sleeping(100)]), classifier(100)), rounds)
const ten = await timing(runtimeOf(running(Array.from({ length: 10 }, () => sleeping(100))), classifier(100)), rounds)

// In turns, each of them first as often as last: on a machine that others use, what two runs of the same differ by is
// what can't be told from nothing.
const stub = runtimeOf(noHooks, classifier(0), ["Bash"])
const quick = {
  stub: { runtime: stub, times: Array<number>() },
  again: { runtime: stub, times: Array<number>() },
  real: { runtime: runtimeOf(running([]), classifier(0), ["Bash"]), times: Array<number>() }
}
for (const { runtime } of Object.values(quick)) await timing(runtime, 2_000)
for (let turn = 0; turn < 30; turn++) {
  const order = Object.values(quick)
  for (const one of turn % 2 === 0 ? order : order.reverse()) one.times.push(await timing(one.runtime, 300))
}
const best = ({ times }: { readonly times: ReadonlyArray<number> }) => Math.min(...times)

const row = (millis: number, to: number) => ({ "median ms": millis.toFixed(3), ratio: (millis / to).toFixed(3) })
console.table({
  "a hook of 100 ms": row(hook, Math.max(hook, judge)),
  "a classifier of 100 ms": row(judge, Math.max(hook, judge)),
  "both beside each other": row(both, Math.max(hook, judge)),
  "ten hooks and a classifier": row(ten, Math.max(hook, judge)),
  "a whole call, nobody who runs hooks": row(best(quick.stub), best(quick.stub)),
  "the same again": row(best(quick.again), best(quick.stub)),
  "a whole call, 0 hooks configured": row(best(quick.real), best(quick.stub))
})
