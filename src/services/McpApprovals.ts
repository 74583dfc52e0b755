/**
 * Service boundary for what the tools of MCP servers looked like when they were
 * last permitted.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailed } from "../errors/SessionError.ts"

/**
 * Service that remembers fingerprints of tools.
 *
 * @category services
 * @since 0.1.0
 */
export class McpApprovals extends Context.Service<McpApprovals, {
  /** The fingerprint that a tool had when it was last permitted; nothing for one that never was. */
  readonly get: (tool: string) => Effect.Effect<string | undefined, StoreFailed>
  /** Notes the fingerprint of a tool that was permitted. */
  readonly set: (tool: string, fingerprint: string) => Effect.Effect<void, StoreFailed>
}>()("toolgate/services/McpApprovals") {}
