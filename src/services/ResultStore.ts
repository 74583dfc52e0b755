/**
 * Service boundary for results too long to hand to a model.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CallContext } from "../domain/CallContext.ts"
import type { ResultStoreFailed } from "../errors/ResultError.ts"

/**
 * A result that is written while it comes in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Spool {
  readonly path: string
  readonly append: (bytes: Uint8Array) => Effect.Effect<void, ResultStoreFailed>
  /** Makes sure that everything is on disk before the path is named to anybody. */
  readonly sync: Effect.Effect<void, ResultStoreFailed>
}

/**
 * Service that keeps whole results, in files that only the user can read.
 *
 * @category services
 * @since 0.1.0
 */
export class ResultStore extends Context.Service<ResultStore, {
  /** Keeps a text; it is on disk when this succeeds. Gives the file's path. */
  readonly keep: (context: CallContext, id: string, text: string) => Effect.Effect<string, ResultStoreFailed>
  /** Begins a result that comes in pieces. Closing the scope closes the file. */
  readonly open: (context: CallContext, id: string) => Effect.Effect<Spool, ResultStoreFailed, Scope.Scope>
}>()("toolgate/services/ResultStore") {}
