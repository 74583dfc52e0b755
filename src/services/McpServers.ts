/**
 * Service boundary for the MCP servers in use.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { McpEntry } from "../domain/McpEntry.ts"
import type { SignedIn, SignedOut } from "../domain/McpSignIn.ts"
import type { Diagnostic } from "../domain/Rule.ts"
import type { Tool } from "../domain/Tool.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import type { SignInFailed } from "../errors/SignInFailed.ts"

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
 * Brings a person to the page where they sign in. `false` when nobody is there or
 * they don't want to. It doesn't wait for them to be done: whoever asks learns
 * that from the browser.
 *
 * @category models
 * @since 0.1.0
 */
export type Visit = (url: string) => Effect.Effect<boolean>

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
  /** Signs a person in to a server, unless they are or the server wants nobody to. */
  readonly signIn: (server: string, visit: Visit) => Effect.Effect<SignedIn, SignInFailed | StoreFailed>
  /** Ends every sign-in to a server of this name, those of servers that are gone from the configuration included. */
  readonly signOut: (server: string) => Effect.Effect<ReadonlyArray<SignedOut>, StoreFailed>
}>()("toolgate/services/McpServers") {}
