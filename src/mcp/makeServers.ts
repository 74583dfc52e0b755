/**
 * All servers of a working directory together, as one source of tools.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { CallContext } from "../domain/CallContext.ts"
import type { McpEntry, McpRefusal } from "../domain/McpEntry.ts"
import { mcpServerName, mcpToolPrefix } from "../domain/mcpNames.ts"
import { SignInFailed } from "../errors/SignInFailed.ts"
import { withheld } from "../permission/withheld.ts"
import { Approver } from "../services/Approver.ts"
import { McpApprovals } from "../services/McpApprovals.ts"
import { McpConfig } from "../services/McpConfig.ts"
import type { McpServers, McpServerStatus } from "../services/McpServers.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { StartsServers } from "../services/StartsServers.ts"
import type { ToolRegistry } from "../services/ToolRegistry.ts"
import { absentTool } from "./absentTool.ts"
import { make, type McpLimits, type McpServer } from "./McpServer.ts"
import * as Authorization from "./oauth/Authorization.ts"
import { signOut } from "./oauth/signOut.ts"
import { readConfig } from "./readConfig.ts"

/**
 * What servers are made for.
 *
 * **Details**
 *
 * - `environment`: what programs inherit, and where limits are read that people
 *   set for all servers: `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT`,
 *   `MAX_MCP_OUTPUT_TOKENS`.
 * - `stateDirectory`: where sign-ins are kept.
 *
 * @category options
 * @since 0.1.0
 */
export interface ServersOptions {
  readonly context: CallContext
  readonly environment: { readonly [name: string]: string | undefined }
  readonly stateDirectory: string
}

/**
 * The servers, both as tools and as what they are.
 *
 * @category models
 * @since 0.1.0
 */
export interface Servers {
  readonly registry: ToolRegistry["Service"]
  readonly servers: McpServers["Service"]
}

/**
 * Makes the configured servers.
 *
 * **Details**
 *
 * A server is connected to when one of its tools is looked for that no rule denies
 * altogether, and all are when somebody wants to know every tool, who doesn't wait
 * for them: what is not connected yet is not there yet. Each time the configuration
 * is looked at again, which costs little while no file changed: a server that is
 * configured otherwise, or may no longer be used, is ended.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeServers = Effect.fnUntraced(function*(
  { context, environment, stateDirectory }: ServersOptions
): Effect.fn.Return<
  Servers,
  never,
  Approver | FileSystem.FileSystem | McpApprovals | McpConfig | Path.Path | RuleSources | Scope.Scope
> {
  // Ending a program takes a moment: they end side by side.
  const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
  const shared = {
    cwd: context.cwd,
    environment,
    limits: limitsOf(environment),
    approvals: yield* McpApprovals,
    approver: yield* Approver,
    rules: yield* RuleSources
  }
  const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const { servers: configured } = yield* McpConfig
  const oneLook = Semaphore.makeUnsafe(1)
  let known: ReadonlyMap<string, Held> = new Map()

  const hold = Effect.fnUntraced(function*(given: McpEntry): Effect.fn.Return<Held> {
    const config = readConfig(given.config)
    const entry: McpEntry = given.refused === undefined && Result.isFailure(config)
      ? { ...given, refused: { because: "broken", why: config.failure } }
      : given
    const own = yield* Scope.fork(scope)
    const held = { entry, prefix: mcpToolPrefix(entry.name), scope: own, server: undefined }
    if (entry.refused !== undefined || Result.isFailure(config)) return held
    const authorization = yield* Effect.provideContext(
      Authorization.make(stateDirectory, { name: entry.name, config: config.success }),
      files
    )
    return {
      ...held,
      server: yield* Scope.provide(make({ ...shared, entry, config: config.success, authorization }), own)
    }
  })

  /** The servers as they are configured now. One whose configuration is another now is another server. */
  const look = oneLook.withPermit(
    Effect.flatMap(configured(context), ({ diagnostics, entries }) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const before = known
        const now = new Map<string, Held>()
        const wanted = entries.map((entry) => [keyOf(entry), entry] as const)
        const keys = new Set(wanted.map(([key]) => key))
        const gone = [...before].filter(([key]) => !keys.has(key)).map(([, held]) => held)
        // Forgotten before they end, so that nobody is handed one that ends.
        known = new Map([...before].filter(([key]) => keys.has(key)))
        yield* Effect.forEach(gone, (held) => Scope.close(held.scope, Exit.void), { concurrency: "unbounded" })
        for (const [key, entry] of wanted) now.set(key, before.get(key) ?? (yield* hold(entry)))
        known = now
        return { all: [...now.values()], diagnostics }
      })))
  )
  const used = Effect.map(look, ({ all }) => all.flatMap(({ server }) => server === undefined ? [] : [server]))
  const ready = Effect.flatMap(
    used,
    (servers) => Effect.forEach(servers, (server) => server.ready, { concurrency: "unbounded", discard: true })
  )

  const deniedAltogether = (name: string, server: string): Effect.Effect<boolean> =>
    Effect.map(shared.rules.policy(context), (policy) => withheld(policy, { name, server: mcpServerName(server) }))

  return {
    registry: {
      all: Effect.gen(function*() {
        if (yield* StartsServers) yield* Effect.forkIn(ready, scope)
        const tools = (yield* Effect.forEach(yield* used, ({ known }) => known)).flat()
        // `mcp__a__b__c` may be a tool of two servers: the first has it.
        return [...new Map([...tools].reverse().map((tool) => [tool.name, tool])).values()].reverse()
      }),
      find: Effect.fnUntraced(function*(name) {
        const { all } = yield* look
        const those = all.filter(({ prefix }) => name.startsWith(prefix))
        // Whose `mcp__a__b__c` is only they know.
        const certain = those.length === 1
        const starts = yield* StartsServers
        for (const { entry, server } of those) {
          const { refused } = entry
          const tool = server !== undefined
            ? yield* certain && server.asleep() && (!starts || (yield* deniedAltogether(name, entry.name)))
              ? server.peek(name)
              : server.find(name)
            : refused !== undefined && told.has(refused.because)
            ? absentTool(name, entry.name, {
              refused: `the server \`${entry.name}\` may not be used: ${refused.why}`
            })
            : undefined
          if (tool !== undefined) return { tool, by: "name" }
        }
        return undefined
      })
    },
    servers: {
      ready,
      signIn: Effect.fnUntraced(function*(name, visit) {
        const found = (yield* look).all.find(({ entry }) => entry.name === name)
        if (found?.server !== undefined) return yield* found.server.signIn(visit)
        const reason = found?.entry.refused?.why ?? "no server of this name is configured"
        return yield* new SignInFailed({ server: name, reason })
      }),
      signOut: (name) => Effect.provideContext(signOut(stateDirectory, name), files),
      status: Effect.gen(function*() {
        const { all, diagnostics } = yield* look
        const owners = new Map<string, string>()
        const servers: Array<McpServerStatus> = []
        for (const { entry, server } of all) {
          const state: McpServerStatus["state"] = server === undefined ? { _tag: "Refused" } : yield* server.state
          servers.push({ entry, state: state._tag === "Connected" ? withoutTaken(entry.name, state, owners) : state })
        }
        return { servers, diagnostics }
      })
    }
  }
})

/** Where in its file a server stands makes it no other one. */
const keyOf = ({ origin: { file, source }, ...entry }: McpEntry): string => JSON.stringify([source, file, entry])

/** A server for as long as it is configured as it is. */
interface Held {
  readonly entry: McpEntry
  readonly prefix: string
  readonly scope: Scope.Closeable
  readonly server: McpServer | undefined
}

/** What whoever asked may do something about. */
const told: ReadonlySet<McpRefusal["because"]> = new Set([
  "untrusted",
  "unseen",
  "changed",
  "unapproved",
  "broken"
])

type Connected = Extract<McpServerStatus["state"], { readonly _tag: "Connected" }>

const withoutTaken = (server: string, state: Connected, owners: Map<string, string>): Connected => {
  const taken: Array<string> = []
  const tools = state.tools.filter(({ name }) => {
    const owner = owners.get(name)
    if (owner === undefined) owners.set(name, server)
    else taken.push(`\`${name}\` is left out, since the server \`${owner}\` has it already`)
    return owner === undefined
  })
  return { ...state, tools, problems: [...state.problems, ...taken] }
}

const charsPerToken = 4

const limitsOf = (environment: ServersOptions["environment"]): McpLimits => {
  const number = (name: string, least: number, otherwise: number): number => {
    const given = Number(environment[name])
    return Number.isFinite(given) && given >= least ? given : otherwise
  }
  return {
    connectMillis: number("MCP_TIMEOUT", 1, 30_000),
    callMillis: number("MCP_TOOL_TIMEOUT", 1_000, 28 * 60 * 60 * 1_000),
    maxResultSizeChars: number("MAX_MCP_OUTPUT_TOKENS", 1, 25_000) * charsPerToken
  }
}
