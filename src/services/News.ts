/**
 * What a session's model is told with the next result, whatever the call: that a
 * task has ended, for one.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Reference to what there is to tell a session. What it gives counts as told.
 *
 * @category services
 * @since 0.1.0
 */
export const News = Context.Reference<(session: string) => Effect.Effect<ReadonlyArray<string>>>(
  "toolgate/services/News",
  { defaultValue: () => () => nothing }
)

const nothing: Effect.Effect<ReadonlyArray<string>> = Effect.succeed([])
