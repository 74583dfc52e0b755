/**
 * Service boundary for which folders a person trusts: what a repository brings
 * loosens nothing before somebody has said so.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailed } from "../errors/SessionError.ts"

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
  /** Trusts a folder from now on, and gives its real path. */
  readonly trust: (directory: string) => Effect.Effect<string, StoreFailed>
  /** Ends a folder's own trust, and says whether it had any. */
  readonly untrust: (directory: string) => Effect.Effect<boolean, StoreFailed>
  /** The trusted folders, by their real paths. */
  readonly list: Effect.Effect<ReadonlyArray<string>, StoreFailed>
}>()("toolgate/services/Trust") {}
