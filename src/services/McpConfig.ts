/**
 * Service boundary for which MCP servers are configured, wherever that is
 * written.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"
import type { McpConfiguration } from "../domain/McpEntry.ts"

/**
 * Service that knows the configured servers.
 *
 * @category services
 * @since 0.1.0
 */
export class McpConfig extends Context.Service<McpConfig, {
  /** The servers for a working directory, as configured now. Never fails: what can't be read is a diagnostic. */
  readonly servers: (context: CallContext) => Effect.Effect<McpConfiguration>
}>()("toolgate/services/McpConfig") {}
