/**
 * Service boundary for the MCP servers in use.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { McpEntry } from "../domain/McpEntry.ts"
import type { Diagnostic } from "../domain/Rule.ts"
import type { Tool } from "../domain/Tool.ts"

/**
 * How a server is doing.
 *
 * **Details**
 *
 * - `refused`: it may not be used; `entry` says why.
 * - `waiting`: nothing was wanted of it yet. `connecting`: it was asked.
 * - `tools`: those that it has, while connected.
 * - `problems`: what is wrong with single tools of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpServerStatus {
  readonly entry: McpEntry
  readonly state:
    | { readonly _tag: "Refused" }
    | { readonly _tag: "Waiting" }
    | { readonly _tag: "Connecting" }
    | { readonly _tag: "Connected"; readonly tools: ReadonlyArray<Tool>; readonly problems: ReadonlyArray<string> }
    | { readonly _tag: "NeedsSignIn"; readonly how: string }
    | { readonly _tag: "Failed"; readonly reason: string }
}

/**
 * Service that knows the servers and how they are doing.
 *
 * @category services
 * @since 0.1.0
 */
export class McpServers extends Context.Service<McpServers, {
  /** Every server as it is now, and what is wrong with the files that name them. */
  readonly status: Effect.Effect<{
    readonly servers: ReadonlyArray<McpServerStatus>
    readonly diagnostics: ReadonlyArray<Diagnostic>
  }>
  /** Connects to every server that may be used, and waits until each is connected or has failed. */
  readonly ready: Effect.Effect<void>
}>()("toolgate/services/McpServers") {}
