/**
 * Finds a server that somebody named on the command line.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { nearest } from "../../domain/nearest.ts"
import { McpServers, type McpServerStatus } from "../../services/McpServers.ts"
import { Misused } from "../Ended.ts"

/**
 * The server of a name, or what was probably meant.
 *
 * @category getters
 * @since 0.1.0
 */
export const knownServer = Effect.fnUntraced(function*(
  name: string
): Effect.fn.Return<McpServerStatus, Misused, McpServers> {
  const { servers } = yield* (yield* McpServers).status
  const found = servers.find(({ entry }) => entry.name === name)
  if (found !== undefined) return found
  const [near] = nearest(name, servers.map(({ entry }) => entry.name), 1)
  const hint = near === undefined ? "see `toolgate mcp list`" : `\`${near}\` was probably meant`
  return yield* new Misused({ problem: `there is no MCP server \`${name}\`; ${hint}` })
})
