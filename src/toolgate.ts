/**
 * The whole thing, wired for a machine: settings files, hooks, a session on
 * disk, built-in tools.
 *
 * @since 0.1.0
 */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { homedir } from "node:os"
import type { CallContext, PermissionMode } from "./domain/CallContext.ts"
import type { HookServicesOf, OwnHook } from "./domain/OwnHook.ts"
import type { ServicesOf, Tool } from "./domain/Tool.ts"
import * as ApproverLayers from "./layers/Approver.ts"
import * as AuditLogLayers from "./layers/AuditLog.ts"
import { cacheDirectory } from "./layers/cacheDirectory.ts"
import * as ClassifierLayers from "./layers/Classifier.ts"
import * as DenialTrackerLayers from "./layers/DenialTracker.ts"
import * as ShortLooks from "./layers/files/shortLooks.ts"
import * as HookRunnerLayers from "./layers/HookRunner.ts"
import * as McpServersLayers from "./layers/McpServers.ts"
import * as PathResolverLayers from "./layers/PathResolver.ts"
import * as ResultStoreLayers from "./layers/ResultStore.ts"
import * as RuleSourcesLayers from "./layers/RuleSources.ts"
import * as SandboxLayers from "./layers/Sandbox.ts"
import type { SandboxOptions } from "./layers/Sandbox.ts"
import * as SessionStoreLayers from "./layers/SessionStore.ts"
import { fetchManagedLater } from "./layers/settings/fetchManagedLater.ts"
import type { Settings } from "./layers/settings/Settings.ts"
import { stateDirectory } from "./layers/stateDirectory.ts"
import * as TasksLayers from "./layers/Tasks.ts"
import * as TelemetryLayers from "./layers/Telemetry.ts"
import * as ToolRegistryLayers from "./layers/ToolRegistry.ts"
import * as TrustLayers from "./layers/Trust.ts"
import type { mcpServers } from "./mcpServers.ts"
import { layer as layerPipeline, type Pipeline } from "./pipeline.ts"
import { REPL } from "./repl/REPL.ts"
import * as SessionsLayers from "./repl/Sessions.ts"
import type { Approver } from "./services/Approver.ts"
import { AuditLog, nobody } from "./services/AuditLog.ts"
import type { Classifier } from "./services/Classifier.ts"
import type { McpServers } from "./services/McpServers.ts"
import { News } from "./services/News.ts"
import type { RuleSources } from "./services/RuleSources.ts"
import type { SessionStore } from "./services/SessionStore.ts"
import type { Tasks } from "./services/Tasks.ts"
import type { ToolRegistry } from "./services/ToolRegistry.ts"
import type { Trust } from "./services/Trust.ts"
import { builtin } from "./tools/builtin.ts"
import { endedTasks } from "./tools/endedTasks.ts"

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
 * - `classifier`: what judges calls; when left out, the static analysis, and
 *   `languageModel` by the user's descriptions, where there is one.
 * - `languageModel`: answers hooks that are prompts, and judges; made once it is
 *   asked something. `graceMillis`: how long a person is not asked yet while it
 *   judges (0).
 * - `hooks`: hooks of the application's own, beside those of the settings.
 * - `allowedTools`, `disallowedTools`, `settings`, `mode`: as on the command
 *   line.
 * - `commandRules`: rules that allow for the turn, from the command that began it;
 *   `command` is what its file says, deny rules and places included (see
 *   `readCommandFile`).
 * - `trust`: which folders are trusted; those that the person said when left
 *   out.
 * - `sandbox`: the operating system's sandbox for commands, beside what settings
 *   say of it.
 * - `mcp`: MCP servers of configuration files, whose tools are there beside the
 *   others. None when left out, and nothing of them is loaded.
 * - `outlived`: whether the process may end before commands that go on in the
 *   background do, so that somebody else has to learn their exit codes.
 * - `home`, `managedRoot`, `state`: other places than the machine's own.
 * - `telemetry`: what may be told of calls beyond what is safe to send anywhere.
 * - `maxResultSizeChars`: by the name of a tool, how long a result may be that is
 *   handed over whole, in place of the tool's own limit; settings go before it.
 *
 * @category options
 * @since 0.1.0
 */
export interface Options<T extends Tool<unknown> = Tool, H extends OwnHook<unknown> = OwnHook> {
  readonly context: CallContext
  readonly tools?: ReadonlyArray<T>
  readonly approver?: Layer.Layer<Approver>
  readonly classifier?: Layer.Layer<Classifier>
  readonly languageModel?: Layer.Layer<LanguageModel>
  readonly graceMillis?: number
  readonly hooks?: ReadonlyArray<H>
  readonly allowedTools?: ReadonlyArray<string>
  readonly disallowedTools?: ReadonlyArray<string>
  readonly commandRules?: ReadonlyArray<string>
  readonly command?: Settings
  readonly settings?: string
  readonly mode?: PermissionMode
  readonly trust?: Layer.Layer<Trust>
  readonly sandbox?: SandboxOptions
  readonly mcp?: McpOptions
  readonly outlived?: boolean
  readonly home?: string
  readonly managedRoot?: string
  readonly state?: string
  readonly telemetry?: TelemetryLayers.TelemetryOptions
  readonly maxResultSizeChars?: { readonly [tool: string]: number }
}

/**
 * Which MCP servers there are.
 *
 * **Details**
 *
 * - `configs`: beside the files that are read anyway, each a path or the
 *   configuration itself as JSON.
 * - `environment`: what variables stand for and programs inherit; the process's
 *   own when left out.
 *
 * @category options
 * @since 0.1.0
 */
export interface McpOptions {
  readonly environment?: { readonly [name: string]: string | undefined }
  readonly configs?: ReadonlyArray<string>
}

/**
 * Layer that gives the whole thing with sensible defaults.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <T extends Tool<unknown> = Tool, H extends OwnHook<unknown> = OwnHook>(
  options: Options<T, H>
): Layer.Layer<
  McpServers | Pipeline | RuleSources | SessionStore | ToolRegistry | Trust,
  never,
  HookServicesOf<H> | ServicesOf<T>
> => {
  const state = options.state ?? stateDirectory()
  const home = options.home ?? homedir()
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux"
  const tools = options.tools ?? []

  const stores = Layer.mergeAll(
    SessionStoreLayers.layerFiles(state),
    ResultStoreLayers.layerFiles(state),
    auditLog(state),
    TelemetryLayers.layer(options.telemetry),
    TasksLayers.layerFiles(state, { outlived: options.outlived ?? false }),
    options.trust ?? Layer.provide(TrustLayers.layerFiles(state), ShortLooks.layer),
    PathResolverLayers.layerNode({ home, stateDirectories: [state, cacheDirectory()] })
  ).pipe(Layer.provideMerge(machine))

  const rules = RuleSourcesLayers.layerSettings({
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
    graceMillis: options.graceMillis,
    maxResultSizeChars: options.maxResultSizeChars,
    knownTools: new Set(tools.map(({ name }) => name))
  }).pipe(Layer.provide(ShortLooks.layer))

  const approver = options.approver ?? ApproverLayers.layerDeny("no approver was given")
  const registry = ToolRegistryLayers.layerTools([...builtin, REPL, ...tools]).pipe(
    Layer.provide([Layer.provide(SandboxLayers.layerRuntime(state, options.sandbox), rules), SessionsLayers.layer()])
  )
  const { mcp } = options
  const withServers = mcp === undefined
    ? Layer.merge(registry, McpServersLayers.layerNone)
    : serversLater({
      environment: process.env,
      ...mcp,
      context: options.context,
      flags: mcp.configs,
      home,
      platform,
      managedRoot: options.managedRoot,
      stateDirectory: state
    }).pipe(Layer.provide([registry, approver, rules]))

  const services = Layer.mergeAll(
    rules,
    withServers,
    HookRunnerLayers.layerWith({ hooks: options.hooks, languageModel: options.languageModel }),
    DenialTrackerLayers.layerSession(),
    options.classifier ??
      (options.languageModel === undefined
        ? ClassifierLayers.layerStatic
        : ClassifierLayers.layerModelLater(options.languageModel)),
    approver
  ).pipe(Layer.provideMerge(stores))

  return layerPipeline(options.context).pipe(Layer.provide(news), Layer.provideMerge(services))
}

/** The log of the application, where it provides one. */
const auditLog = (state: string) =>
  Layer.unwrap(
    Effect.map(
      AuditLog,
      (keeper) => keeper === nobody ? AuditLogLayers.layerFiles(state) : Layer.succeed(AuditLog, keeper)
    )
  )

// Without the terminal, which takes hold of standard input and output.
const machine = NodeChildProcessSpawner.layer.pipe(
  Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer))
)

const news = Layer.effect(
  News,
  Effect.map(Effect.context<Tasks>(), (context) => (session) => Effect.provideContext(endedTasks(session), context))
)

/** Servers whose code, and whose configuration, is loaded when a tool of one is wanted. */
const serversLater = (given: Parameters<typeof mcpServers>[0]) =>
  Layer.unwrap(Effect.gen(function*() {
    const scope = yield* Effect.scope
    const load = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.flatMap(
          Effect.promise(() => import("./mcpServers.ts")),
          ({ mcpServers }) => Scope.provide(mcpServers(given), scope)
        )
      )
    )
    return Layer.merge(
      ToolRegistryLayers.layerLater("mcp__", Effect.map(load, ({ registry }) => registry)),
      McpServersLayers.layerLater(Effect.map(load, ({ servers }) => servers))
    )
  }))
