/** Runs a built-in tool on the real file system, with a session in memory. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FileState } from "../../src/domain/SessionState.ts"
import type { Output, Progress, Tool, ToolContext, Validation } from "../../src/domain/Tool.ts"
import type { ToolFailed, ToolTimedOut } from "../../src/errors/ExecuteError.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as ResultStoreLayers from "../../src/layers/ResultStore.ts"
import * as TasksLayers from "../../src/layers/Tasks.ts"
import type { PathResolver } from "../../src/services/PathResolver.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import type { Tasks } from "../../src/services/Tasks.ts"

type Needs = ChildProcessSpawner | PathResolver | ResultStore | Tasks

/** What a bench can be told. */
export interface BenchOptions {
  readonly mayRead?: (path: string) => boolean | Effect.Effect<boolean>
  readonly mayEdit?: (path: string) => boolean
  readonly progress?: (progress: Progress) => Effect.Effect<void>
  readonly leave?: ToolContext["leave"]
  readonly store?: ResultStore["Service"]
  readonly outlived?: boolean
  readonly heard?: boolean
}

/** A folder, a session, and how to run a tool in them. */
export interface Bench {
  readonly cwd: string
  readonly files: Map<string, FileState>
  readonly progress: Array<Progress>
  readonly run: (tool: Tool<Needs>, input: unknown) => Effect.Effect<Output, ToolFailed | ToolTimedOut>
  readonly text: (tool: Tool<Needs>, input: unknown) => Effect.Effect<string, ToolFailed | ToolTimedOut>
  readonly validate: (tool: Tool<Needs>, input: unknown) => Effect.Effect<Validation>
  readonly failure: (tool: Tool<Needs>, input: unknown) => Effect.Effect<ToolFailed | ToolTimedOut>
}

export const bench = (options: BenchOptions = {}): Effect.Effect<Bench, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-test-")))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const cwd = join(folder, "work")
    mkdirSync(cwd)
    const services = yield* Layer.build(
      Layer.mergeAll(
        PathResolverLayers.layerNode({ home: join(folder, "home") }),
        TasksLayers.layerFiles(join(folder, "state"), { outlived: options.outlived ?? false }),
        options.store === undefined
          ? ResultStoreLayers.layerFiles(join(folder, "state"))
          : Layer.succeed(ResultStore, options.store)
      ).pipe(Layer.provideMerge(NodeServices.layer))
    )
    const files = new Map<string, FileState>()
    const progress: Array<Progress> = []
    const context: ToolContext = {
      call: { session: "test", cwd, directories: [] },
      id: "toolu_1",
      progress: options.progress ?? ((piece) => Effect.sync(() => void progress.push(piece))),
      seen: (path) => Effect.sync(() => files.get(path)),
      saw: (path, state) => Effect.sync(() => void files.set(path, state)),
      ...(options.heard === undefined ? {} : { heard: options.heard }),
      mayRead: (path) =>
        Effect.suspend(() => {
          const said = options.mayRead?.(path) ?? true
          return Effect.isEffect(said) ? said : Effect.succeed(said)
        }),
      mayEdit: (path) => Effect.sync(() => options.mayEdit?.(path) ?? true),
      leave: options.leave,
      signal: new AbortController().signal
    }
    const run: Bench["run"] = (tool, input) =>
      Effect.suspend(() => {
        const invocation = Result.getOrThrowWith(tool.prepare(input), (issues) => new Error(JSON.stringify(issues)))
        // Built-in tools fail with these two alone; the pipeline's type says `unknown` for those of applications.
        return invocation.run(context) as Effect.Effect<Output, ToolFailed | ToolTimedOut, Needs>
      }).pipe(Effect.provide(services))
    return {
      cwd,
      files,
      progress,
      run,
      validate: (tool, input) =>
        Effect.provide(Result.getOrThrow(tool.prepare(input)).validate(context.call), services),
      text: (tool, input) => Effect.map(run(tool, input), textOf),
      failure: (tool, input) =>
        Effect.flatMap(Effect.exit(run(tool, input)), (exit) =>
          Exit.isSuccess(exit)
            ? Effect.die(new Error(`it succeeded: ${textOf(exit.value)}`))
            : Effect.flip(Effect.failCause(exit.cause)))
    }
  })

/** The text that a model would read. */
export const textOf = ({ content }: Output): string => {
  if (typeof content === "string") return content
  if ("_tag" in content) return `${content.head}\n…\n${content.tail}\n${content.path}`
  return content.map((block) => block.type === "text" ? block.text : `(${block.type})`).join("\n")
}
