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
import type { McpEntry, McpRefusal } from "../domain/McpEntry.ts"
import type { Policy } from "../domain/Policy.ts"
import { nameOf } from "../layers/hooks/HookResult.ts"
import * as McpConfigLayers from "../layers/McpConfig.ts"
import { layerMemory } from "../layers/Trust.ts"
import { McpConfig } from "../services/McpConfig.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { gate } from "./gate.ts"
import type { Shared } from "./root.ts"

/**
 * Looks at what trusting a folder would let count, and starts nothing of it.
 *
 * **Details**
 *
 * `lines` say in a line each what is in force with its trust and not without;
 * `servers` are the folder's own among that.
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
      return {
        lines: [...linesOf(policy), ...entries.flatMap(serverOf)],
        servers: entries.filter((entry) => entry.brought && serverOf(entry).length > 0)
      }
    }).pipe(Effect.provide(servers.pipe(Layer.provideMerge(sources), Layer.provide(NodeServices.layer))))
  })
  const before = new Set((yield* look([])).lines)
  const { lines, servers } = yield* look([directory])
  return { lines: [...new Set(lines)].filter((line) => !before.has(line)), servers }
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

/** The whole of its configuration, as of a command. One that can't be used yet may be later, as it is now. */
const serverOf = ({ name, refused, written }: McpEntry): ReadonlyArray<string> => {
  const once = refused === undefined ? "" : waiting[refused.because]
  return once === undefined ? [] : [`server  ${name}${once}: ${JSON.stringify(written)}`]
}

const waiting: { readonly [because in McpRefusal["because"]]?: string } = {
  unapproved: " (only once `enabledMcpjsonServers` names it)",
  broken: " (only once its configuration can be used)"
}
