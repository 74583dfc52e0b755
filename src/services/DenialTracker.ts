/**
 * Service boundary for the count of denials.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"

/**
 * Service that counts denials in a row, by session and by key (a tool and the
 * first words that a suggested rule would have).
 *
 * @category services
 * @since 0.1.0
 */
export class DenialTracker extends Context.Service<DenialTracker, {
  /** Counts a denial; gives guidance for the model once there were too many. */
  readonly denied: (context: CallContext, key: string) => Effect.Effect<string | undefined>
  /** A call was permitted: its key's count and the session's begin anew. */
  readonly permitted: (context: CallContext, key: string) => Effect.Effect<void>
}>()("toolgate/services/DenialTracker") {}
