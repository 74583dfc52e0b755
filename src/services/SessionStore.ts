/**
 * Service boundary for what a session remembers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FileState, SessionState } from "../domain/SessionState.ts"
import type { StoreFailed } from "../errors/SessionError.ts"

/**
 * Service that keeps the memory of sessions by their id.
 *
 * @category services
 * @since 0.1.0
 */
export class SessionStore extends Context.Service<SessionStore, {
  /** A session's memory; an unknown session has an empty one. */
  readonly get: (session: string) => Effect.Effect<SessionState, StoreFailed>
  /** Changes a session's memory; nothing is lost when several change it at once. */
  readonly update: (
    session: string,
    change: (state: SessionState) => SessionState
  ) => Effect.Effect<SessionState, StoreFailed>
  /** What a session has seen of the file at an absolute real path, if anything. */
  readonly seen: (session: string, path: string) => Effect.Effect<FileState | undefined, StoreFailed>
  /** Remembers what a session has seen of a file. */
  readonly saw: (session: string, path: string, state: FileState) => Effect.Effect<void, StoreFailed>
}>()("toolgate/services/SessionStore") {}
