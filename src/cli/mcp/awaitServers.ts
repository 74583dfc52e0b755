/**
 * Waits for MCP servers.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { McpServers } from "../../services/McpServers.ts"
import { line } from "../line.ts"
import * as write from "../write.ts"
import { statusText } from "./statusText.ts"

/**
 * Waits until every server that may be used is connected or has failed, no longer
 * than `patience` where that is given, and tells a person which are missing and
 * why. What was switched off is not missing.
 *
 * @category running
 * @since 0.1.0
 */
export const awaitServers = Effect.fnUntraced(function*(
  patience?: Duration.Input
): Effect.fn.Return<void, never, McpServers> {
  const { ready, status } = yield* McpServers
  yield* patience === undefined ? ready : Effect.timeoutOption(ready, patience)
  for (const server of (yield* status).servers) {
    const { entry, state } = server
    if (state._tag === "Connected" || entry.refused?.because === "disabled") continue
    const { status, why = "its tools come once it is there" } = statusText(server)
    yield* write.err(line(`the MCP server \`${entry.name}\` is missing (${status}): ${why}`))
  }
})
