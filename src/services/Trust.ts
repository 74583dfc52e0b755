/**
 * Service boundary for which folders a person trusts: what a repository brings
 * loosens nothing before somebody has said so.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { McpEntry } from "../domain/McpEntry.ts"
import type { StoreFailed } from "../errors/SessionError.ts"

/**
 * A server that a folder brings.
 *
 * @category models
 * @since 0.1.0
 */
export type BroughtServer = Pick<McpEntry, "name" | "written">

/**
 * How a server differs from what its folder was trusted with: it was not there, or
 * members of its configuration were others.
 *
 * @category models
 * @since 0.1.0
 */
export type ServerChange =
  | { readonly _tag: "Unseen" }
  | { readonly _tag: "Changed"; readonly members: ReadonlyArray<string> }

/**
 * Service that remembers the folders that are trusted. A folder's trust covers
 * everything below it.
 *
 * @category services
 * @since 0.1.0
 */
export class Trust extends Context.Service<Trust, {
  /** Whether a folder, or one that it lies in, is trusted. What can't be found out is not. */
  readonly isTrusted: (directory: string) => Effect.Effect<boolean>
  /** How a server of a trusted folder differs from what that very folder was trusted with; nothing where it doesn't. */
  readonly changeOf: (directory: string, server: BroughtServer) => Effect.Effect<ServerChange | undefined>
  /** Trusts a folder from now on, of its servers these as they are (none), and gives its real path. */
  readonly trust: (
    directory: string,
    servers?: ReadonlyArray<BroughtServer>
  ) => Effect.Effect<string, StoreFailed>
  /** Ends a folder's own trust, and says whether it had any. */
  readonly untrust: (directory: string) => Effect.Effect<boolean, StoreFailed>
  /** The trusted folders, by their real paths. */
  readonly list: Effect.Effect<ReadonlyArray<string>, StoreFailed>
}>()("toolgate/services/Trust") {}
