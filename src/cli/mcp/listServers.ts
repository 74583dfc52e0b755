/**
 * Lists the MCP servers for `toolgate mcp list`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { McpServers, type McpServerStatus } from "../../services/McpServers.ts"
import { gate } from "../gate.ts"
import { line, oneLine } from "../line.ts"
import { type McpListOutput, version } from "../Output.ts"
import { fileOf, placeOf } from "../placeOf.ts"
import type { Shared } from "../root.ts"
import * as Surroundings from "../Surroundings.ts"
import * as write from "../write.ts"
import { statusText } from "./statusText.ts"

/**
 * Connects to every server that may be used, and writes how each is doing.
 *
 * @category commands
 * @since 0.1.0
 */
export const listServers = Effect.fn("cli.mcp.list")(function*(shared: Shared) {
  const layer = yield* gate(shared)
  const { diagnostics, servers } = yield* Effect.gen(function*() {
    const { ready, status } = yield* McpServers
    yield* ready
    return yield* status
  }).pipe(Effect.provide(layer))
  if (Surroundings.form(shared) !== "text") {
    const output: McpListOutput = { version, servers: servers.map(outputOf), problems: diagnostics }
    return yield* write.json(output)
  }
  for (const { message, origin } of diagnostics) yield* write.err(line(`${placeOf(origin)}: ${message}`))
  yield* write.out(
    servers.length === 0 ? "There are no MCP servers. `toolgate mcp list --help` says where they are looked for.\n" : ""
  )
  yield* write.out(servers.map(textOf).join(""))
})

const textOf = (server: McpServerStatus): string => {
  const { entry, state } = server
  const { status, why } = statusText(server)
  const count = state._tag === "Connected" ? `, ${counted(state.tools.length)}` : ""
  const problems = state._tag === "Connected" ? state.problems : []
  return [
    `${oneLine(entry.name)}: ${status}${count} (${entry.scope}, ${fileOf(entry.origin)})`,
    ...(why === undefined ? [] : [`  ${oneLine(why)}`]),
    ...problems.map((problem) => `  ${oneLine(problem)}`)
  ].join("\n") + "\n"
}

const counted = (tools: number): string => tools === 1 ? "1 tool" : `${tools} tools`

const outputOf = (server: McpServerStatus): McpListOutput["servers"][number] => {
  const { entry, state } = server
  const { status, why } = statusText(server)
  return {
    name: entry.name,
    scope: entry.scope,
    origin: entry.origin,
    status,
    ...(why === undefined ? {} : { why }),
    ...(state._tag === "Connected" ? { tools: state.tools.length, problems: state.problems } : {})
  }
}
