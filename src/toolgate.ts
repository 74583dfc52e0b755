/**
 * The whole thing, wired for a machine: settings files, hooks, a session on
 * disk, built-in tools.
 *
 * @since 0.1.0
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Layer from "effect/Layer"
import { homedir } from "node:os"
import type { CallContext, PermissionMode } from "./domain/CallContext.ts"
import type { ServicesOf, Tool } from "./domain/Tool.ts"
import * as ApproverLayers from "./layers/Approver.ts"
import * as ClassifierLayers from "./layers/Classifier.ts"
import * as DenialTrackerLayers from "./layers/DenialTracker.ts"
import * as HookRunnerLayers from "./layers/HookRunner.ts"
import * as PathResolverLayers from "./layers/PathResolver.ts"
import * as ResultStoreLayers from "./layers/ResultStore.ts"
import * as RuleSourcesLayers from "./layers/RuleSources.ts"
import * as SessionStoreLayers from "./layers/SessionStore.ts"
import { fetchManagedLater } from "./layers/settings/fetchManagedLater.ts"
import type { Settings } from "./layers/settings/Settings.ts"
import { stateDirectory } from "./layers/stateDirectory.ts"
import * as ToolRegistryLayers from "./layers/ToolRegistry.ts"
import * as TrustLayers from "./layers/Trust.ts"
import { layer as layerPipeline, type Pipeline } from "./pipeline.ts"
import type { Approver } from "./services/Approver.ts"
import type { Classifier } from "./services/Classifier.ts"
import type { RuleSources } from "./services/RuleSources.ts"
import type { SessionStore } from "./services/SessionStore.ts"
import type { ToolRegistry } from "./services/ToolRegistry.ts"
import type { Trust } from "./services/Trust.ts"
import { builtin } from "./tools/builtin.ts"

/**
 * Options of the Layer that gives the whole thing.
 *
 * **Details**
 *
 * - `context`: session, working directory and mode of calls that come without
 *   their own.
 * - `tools`: tools beside the built-in ones; one of the same name takes its
 *   place. What their handlers need is what the Layer needs.
 * - `approver`: who is asked; nobody when left out, so that what would be asked
 *   is denied.
 * - `classifier`: what judges calls; the static analysis when left out.
 * - `allowedTools`, `disallowedTools`, `settings`, `mode`: as on the command
 *   line.
 * - `commandRules`: rules that allow for the turn, from the command that began it;
 *   `command` is what its file says, deny rules and places included (see
 *   `readCommandFile`).
 * - `trust`: which folders are trusted; those that the person said when left
 *   out.
 * - `home`, `managedRoot`, `state`: other places than the machine's own.
 *
 * @category options
 * @since 0.1.0
 */
export interface Options<R = never> {
  readonly context: CallContext
  readonly tools?: ReadonlyArray<Tool<R>>
  readonly approver?: Layer.Layer<Approver>
  readonly classifier?: Layer.Layer<Classifier>
  readonly allowedTools?: ReadonlyArray<string>
  readonly disallowedTools?: ReadonlyArray<string>
  readonly commandRules?: ReadonlyArray<string>
  readonly command?: Settings
  readonly settings?: string
  readonly mode?: PermissionMode
  readonly trust?: Layer.Layer<Trust>
  readonly home?: string
  readonly managedRoot?: string
  readonly state?: string
}

/**
 * Layer that gives the whole thing with sensible defaults.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never>(
  options: Options<R>
): Layer.Layer<Pipeline | RuleSources | SessionStore | ToolRegistry | Trust, never, R> => {
  const state = options.state ?? stateDirectory()
  const home = options.home ?? homedir()
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux"
  const tools = options.tools ?? []

  const stores = Layer.mergeAll(
    SessionStoreLayers.layerFiles(state),
    ResultStoreLayers.layerFiles(state),
    options.trust ?? TrustLayers.layerFiles(state),
    PathResolverLayers.layerNode({ home, stateDirectories: [state] })
  ).pipe(Layer.provideMerge(NodeServices.layer))

  const services = Layer.mergeAll(
    RuleSourcesLayers.layerSettings({
      home,
      platform,
      managedRoot: options.managedRoot,
      flagSettings: options.settings,
      allowedTools: options.allowedTools,
      disallowedTools: options.disallowedTools,
      commandRules: options.commandRules,
      command: options.command,
      fetchManaged: fetchManagedLater(state),
      mode: options.mode,
      knownTools: new Set(tools.map(({ name }) => name))
    }),
    ToolRegistryLayers.layerTools<R | ServicesOf<(typeof builtin)[number]>>([...builtin, ...tools]),
    HookRunnerLayers.layerCommands,
    DenialTrackerLayers.layerSession(),
    options.classifier ?? ClassifierLayers.layerStatic,
    options.approver ?? ApproverLayers.layerDeny("no approver was given")
  ).pipe(Layer.provideMerge(stores))

  return layerPipeline(options.context).pipe(Layer.provideMerge(services))
}
