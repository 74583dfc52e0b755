/** What is waited for before a tool runs: hooks and classifier beside each other, and the cost of having no hooks. */
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
import type { Task } from "./alternate.ts"
import type { Group } from "./Group.ts"

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

const calling = async (runtime: ReturnType<typeof runtimeOf>): Promise<Task> => {
  const { run } = await runtime.runPromise(Pipeline)
  const call = run({ type: "tool_use", id: "a", name: "Bash", input: { command: "npm test" } })
  return async () => {
    const result = await runtime.runPromise(call)
    if (result.is_error === true) throw new Error(`the call was not permitted: ${JSON.stringify(result.content)}`)
  }
}

export const groups = async (): Promise<ReadonlyArray<Group>> => {
  const ten = Array.from({ length: 10 }, () => sleeping(100))
  const hookless = await calling(runtimeOf(noHooks, classifier(0), ["Bash"]))
  return [
    {
      title: "what is waited for before a tool",
      tasks: {
        "a classifier of 100 ms": await calling(runtimeOf(running([]), classifier(100))),
        "a hook of 100 ms": await calling(runtimeOf(running([sleeping(100)]), classifier(0))),
        "both beside each other": await calling(runtimeOf(running([sleeping(100)]), classifier(100))),
        "ten hooks and a classifier": await calling(runtimeOf(running(ten), classifier(100)))
      },
      rounds: 16
    },
    {
      title: "a call that no hook listens to",
      tasks: {
        "nobody who runs hooks": hookless,
        "the same again": hookless,
        "0 hooks configured": await calling(runtimeOf(running([]), classifier(0), ["Bash"]))
      }
    }
  ]
}
