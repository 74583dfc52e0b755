/**
 * The tools of a case: built-in ones that work where they are needed, and
 * stand-ins for all others that have a name.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { Tool } from "../../domain/Tool.ts"
import { toolNames } from "../../domain/toolNames.ts"
import * as PathResolverLayers from "../../layers/PathResolver.ts"
import * as ToolRegistryLayers from "../../layers/ToolRegistry.ts"
import type { PathResolver } from "../../services/PathResolver.ts"
import type { ResultStore } from "../../services/ResultStore.ts"
import type { Tasks } from "../../services/Tasks.ts"
import type { ToolRegistry } from "../../services/ToolRegistry.ts"
import { BashLimits } from "../../tools/BashLimits.ts"
import { builtin } from "../../tools/builtin.ts"
import { ShellEnvironment } from "../../tools/ShellEnvironment.ts"
import type { Behaviour, Case } from "./Case.ts"
import type { Need } from "./Check.ts"
import { movedTool } from "./movedTool.ts"
import type { Start } from "./Observation.ts"
import type { Root } from "./Root.ts"
import * as StandIn from "./StandIn.ts"
import * as StubPrograms from "./StubPrograms.ts"

/**
 * Layer that serves the tools of a case and notes in `starts` when they run.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  one: Case,
  root: Root,
  needs: ReadonlySet<Need>,
  starts: Array<Start>
): Layer.Layer<ToolRegistry, never, ChildProcessSpawner | FileSystem.FileSystem | ResultStore | Tasks> => {
  const { given } = one
  const shared: StandIn.StandIns = {
    started: (id, tool, input) => {
      const start: Start = { id, tool, input, output: undefined }
      starts.push(start)
      return (output) => {
        start.output = output
      }
    },
    behaviourOf: (id, tool) => behaviourOf(one, id, tool),
    limit: limitOf(one)
  }
  const told = new Set([
    ...given.tools?.flatMap(({ behaviour, name }) => behaviour === undefined ? [] : [name]) ?? [],
    ...given.batch?.flatMap(({ behaviour, name }) => behaviour === undefined ? [] : [name]) ?? []
  ])
  const own = builtin.map((tool) =>
    !told.has(tool.name) && worksFor(one, tool.name, needs)
      ? movedTool(tool, root, shared)
      : StandIn.inPlaceOf(tool, shared)
  )
  const builtinNames = new Set(builtin.map(({ name }) => name))
  const called = [one.call.name, ...given.batch?.map(({ name }) => name) ?? []].filter((name) =>
    name.startsWith("mcp__")
  )
  const others = new Set([...toolNames, ...told, ...called, ...given.tools?.map(({ name }) => name) ?? []])
  const tools: ReadonlyArray<Tool<ChildProcessSpawner | PathResolver | ResultStore | Tasks>> = [
    ...own,
    ...[...others].filter((name) => !builtinNames.has(name)).map((name) =>
      StandIn.make(name, shared, given.tools?.find((tool) => tool.name === name)?.server)
    )
  ]
  const chars = given.settings?.maxResultSizeChars
  return ToolRegistryLayers.layerTools(tools).pipe(
    Layer.provide([
      PathResolverLayers.layerNode({ home: root.home, stateDirectories: [root.state] }),
      Layer.succeed(ShellEnvironment, StubPrograms.environment(root)),
      Layer.effect(
        BashLimits,
        Effect.map(BashLimits, (limits) => ({ ...limits, inlineChars: chars ?? limits.inlineChars }))
      )
    ])
  )
}

/**
 * The most characters that a result may have, when the case says so. A tool has
 * one limit for what it gives and for how it fails: one that fails has the one for
 * errors.
 *
 * @category getters
 * @since 0.1.0
 */
export const limitOf = ({ given }: Case): number | undefined => {
  const { maxErrorChars, maxResultSizeChars } = given.settings ?? {}
  const behaviours = [...given.tools ?? [], ...given.batch ?? []].map(({ behaviour }) => behaviour)
  return behaviours.some(fails) ? maxErrorChars ?? maxResultSizeChars : maxResultSizeChars
}

const fails = (behaviour: Behaviour | undefined): boolean =>
  behaviour !== undefined &&
  ((behaviour.exit ?? 0) !== 0 || behaviour.throws !== undefined || behaviour.throwsRepeat !== undefined)

/**
 * Whether a built-in tool does its work. A command line does where a sentence
 * needs it alone: nothing of a file of cases runs on this machine without need.
 * The other tools do where the case says what is on the disk.
 */
const worksFor = ({ given }: Case, name: string, needs: ReadonlySet<Need>): boolean => {
  if (given.platform === "win32" || given.fs?.["caseInsensitive"] === true) return false
  // Nothing of a file of cases goes out into the network.
  if (name === "WebFetch") return false
  if (name === "Bash") return needs.has("shell")
  if (needs.has("files")) return true
  return name === "Edit" || name === "Write" ? given.settings?.readFiles !== undefined : given.fs !== undefined
}

const behaviourOf = ({ given }: Case, id: string, name: string): Behaviour | undefined =>
  given.batch?.find((call) => call.id === id && call.name === name)?.behaviour ??
    given.tools?.find((tool) => tool.name === name)?.behaviour
