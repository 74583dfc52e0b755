/**
 * What a folder brings that counts once it is trusted.
 *
 * @since 0.1.0
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { homedir } from "node:os"
import type { CallContext } from "../domain/CallContext.ts"
import type { HookEntry } from "../domain/Hook.ts"
import type { McpEntry } from "../domain/McpEntry.ts"
import type { Policy } from "../domain/Policy.ts"
import { nameOf } from "../layers/hooks/HookResult.ts"
import * as McpConfigLayers from "../layers/McpConfig.ts"
import { layerMemory } from "../layers/Trust.ts"
import { McpConfig } from "../services/McpConfig.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { gate } from "./gate.ts"
import type { Shared } from "./root.ts"

/**
 * Says in a line each what trusting a folder would let count: what is in force
 * with its trust and not without. Starts nothing of it.
 *
 * @category getters
 * @since 0.1.0
 */
export const broughtBy = Effect.fnUntraced(function*(shared: Shared, directory: string) {
  const context: CallContext = { session: "trust", cwd: directory, directories: [] }
  const look = Effect.fnUntraced(function*(trusted: ReadonlyArray<string>) {
    const sources = yield* gate(shared, { trust: layerMemory(trusted) })
    const servers = McpConfigLayers.layerFiles({
      home: homedir(),
      platform: process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux",
      environment: process.env
    })
    return yield* Effect.gen(function*() {
      const policy = yield* (yield* RuleSources).policy(context)
      const { entries } = yield* (yield* McpConfig).servers(context)
      return new Set([...linesOf(policy), ...entries.flatMap(serverOf)])
    }).pipe(Effect.provide(servers.pipe(Layer.provideMerge(sources), Layer.provide(NodeServices.layer))))
  })
  const before = yield* look([])
  return [...yield* look([directory])].filter((line) => !before.has(line))
})

const linesOf = (
  { audit, directories, hooks, httpHooks, maxResultSizeChars = {}, mode, rules, sandbox }: Policy
): ReadonlyArray<string> => [
  ...rules.flatMap(({ behavior, text }) => behavior === "allow" ? [`rule    ${text}`] : []),
  ...hooks.map((entry) => `hook    ${entry.event}${entry.matcher === "" ? "" : ` ${entry.matcher}`}: ${toldOf(entry)}`),
  ...directories.map((folder) => `folder  ${folder}`),
  ...Object.entries(maxResultSizeChars).map(([tool, chars]) => `limit   ${tool}: ${chars} characters of a result`),
  `mode    ${mode}`,
  ...Object.entries({ sandbox, "http hooks": httpHooks, audit }).flatMap(([name, settings]) =>
    settings === undefined ? [] : [`${name.padEnd(7)} ${JSON.stringify(settings)}`]
  )
]

/** The whole of a command: what is cut off or left out is what somebody would hide. */
const toldOf = (entry: HookEntry): string =>
  entry.hook.type === "command" ? [entry.hook.command, ...entry.hook.args ?? []].join(" ") : nameOf(entry)

/** The whole of its configuration, as of a command. One that waits for approval may be had for it from then on. */
const serverOf = ({ name, refused, written }: McpEntry): ReadonlyArray<string> =>
  refused === undefined
    ? [`server  ${name}: ${JSON.stringify(written)}`]
    : refused.because === "unapproved"
    ? [`server  ${name} (only once \`enabledMcpjsonServers\` names it): ${JSON.stringify(written)}`]
    : []
