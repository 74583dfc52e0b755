/**
 * Shows one MCP server for `toolgate mcp get`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { mcpToolPrefix } from "../../domain/mcpNames.ts"
import { McpServers } from "../../services/McpServers.ts"
import { ToolRegistry } from "../../services/ToolRegistry.ts"
import { gate } from "../gate.ts"
import { oneLine } from "../line.ts"
import { type McpGetOutput, version } from "../Output.ts"
import { placeOf } from "../placeOf.ts"
import type { Shared } from "../root.ts"
import * as Surroundings from "../Surroundings.ts"
import * as write from "../write.ts"
import { knownServer } from "./knownServer.ts"
import { masked } from "./masked.ts"
import { statusText } from "./statusText.ts"

/**
 * Connects to one server, and writes its configuration, without secrets, and its
 * tools.
 *
 * @category commands
 * @since 0.1.0
 */
export const showServer = Effect.fn("cli.mcp.get")(function*(name: string, shared: Shared) {
  const layer = yield* gate(shared)
  const server = yield* Effect.gen(function*() {
    const { status } = yield* McpServers
    const registry = yield* ToolRegistry
    yield* knownServer(name)
    // Any name of a server's tool makes it connect, and no other one.
    yield* registry.find(`${mcpToolPrefix(name)}?`)
    return (yield* status).servers.find(({ entry }) => entry.name === name)
  }).pipe(Effect.provide(layer))
  if (server === undefined) return
  const { entry, state } = server
  const tools = state._tag === "Connected" ? state.tools : []
  const { status, why } = statusText(server)
  if (Surroundings.form(shared) !== "text") {
    const output: McpGetOutput = {
      version,
      name,
      scope: entry.scope,
      origin: entry.origin,
      status,
      ...(why === undefined ? {} : { why }),
      config: masked(entry.written),
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description }))
    }
    return yield* write.json(output)
  }
  yield* write.out(
    [
      `${oneLine(name)}: ${status}`,
      ...(why === undefined ? [] : [`  ${oneLine(why)}`]),
      `  configured by: ${entry.scope}, ${placeOf(entry.origin)}`,
      ...JSON.stringify(masked(entry.written), null, 2).split("\n").map((row) => `  ${oneLine(row) === "" ? "" : row}`),
      ...(tools.length === 0 ? [] : ["  tools:"]),
      ...tools.map((tool) => `    ${tool.name}`)
    ].join("\n") + "\n"
  )
})
