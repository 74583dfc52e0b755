/** What the stages need, in memory: each test replaces the part that it is about. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CallContext } from "../../src/domain/CallContext.ts"
import { nothingAfter, silent } from "../../src/domain/Hook.ts"
import type { Tool } from "../../src/domain/Tool.ts"
import type { ToolUse } from "../../src/domain/ToolUse.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as ClassifierLayers from "../../src/layers/Classifier.ts"
import * as DenialTrackerLayers from "../../src/layers/DenialTracker.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as SessionStoreLayers from "../../src/layers/SessionStore.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import type { Services } from "../../src/pipeline.ts"
import type { Approver } from "../../src/services/Approver.ts"
import type { Classifier } from "../../src/services/Classifier.ts"
import type { DenialTracker } from "../../src/services/DenialTracker.ts"
import { HookRunner } from "../../src/services/HookRunner.ts"
import type { PathResolver } from "../../src/services/PathResolver.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import type { RuleSources } from "../../src/services/RuleSources.ts"
import type { SessionStore } from "../../src/services/SessionStore.ts"

export const context: CallContext = { session: "test", cwd: "/repo", directories: [] }

export const use = (name: string, input: unknown = {}, id = "toolu_1"): ToolUse => ({
  type: "tool_use",
  id,
  name,
  input
})

export const hooks = (answers: Partial<HookRunner["Service"]> = {}): Layer.Layer<HookRunner> =>
  Layer.succeed(HookRunner, {
    preToolUse: () => Effect.succeed(silent),
    permissionRequest: () => Effect.succeed({ _tag: "NoAnswer" }),
    permissionDenied: () => Effect.void,
    postToolUse: () => Effect.succeed(nothingAfter),
    postToolUseFailure: () => Effect.succeed(nothingAfter),
    postToolBatch: () => Effect.succeed(nothingAfter),
    ...answers
  })

export const resultStore = (kept: Map<string, string> = new Map()): Layer.Layer<ResultStore> =>
  Layer.mock(ResultStore, {
    keep: (_, id, text) =>
      Effect.sync(() => {
        const path = `/state/results/${id}`
        kept.set(path, text)
        return path
      })
  })

export const services = (parts: {
  readonly tools?: ReadonlyArray<Tool>
  readonly rules?: Layer.Layer<RuleSources>
  readonly hooks?: Layer.Layer<HookRunner>
  readonly classifier?: Layer.Layer<Classifier>
  readonly approver?: Layer.Layer<Approver>
  readonly results?: Layer.Layer<ResultStore>
  readonly paths?: Layer.Layer<PathResolver>
  readonly denials?: Layer.Layer<DenialTracker, never, SessionStore>
}): Layer.Layer<Services> =>
  Layer.mergeAll(
    ToolRegistryLayers.layerTools(parts.tools ?? []),
    parts.rules ?? RuleSourcesLayers.layerMemory(),
    parts.hooks ?? hooks(),
    parts.classifier ?? ClassifierLayers.layerStatic,
    parts.approver ?? ApproverLayers.layerDeny(),
    parts.results ?? resultStore(),
    parts.paths ?? PathResolverLayers.layerVirtual({ "/repo": "dir" }),
    parts.denials ?? DenialTrackerLayers.layerSession()
  ).pipe(Layer.provideMerge(SessionStoreLayers.layerMemory))
