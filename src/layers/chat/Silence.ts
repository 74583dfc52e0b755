/**
 * Watches over an answer that stays open and says nothing.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ModelFailed } from "../../errors/ModelError.ts"

/**
 * A watch over one answer.
 *
 * **Details**
 *
 * - `fetch`: asks as `fetch` does, and takes note of every byte that comes,
 *   whatever it says: a server that is alive sends pings.
 * - `broken`: fails once nothing came for too long.
 *
 * @category models
 * @since 0.1.0
 */
export interface Silence {
  readonly fetch: typeof fetch
  readonly broken: Effect.Effect<never, ModelFailed>
}

/**
 * Begins to watch. `limit` is how long an answer may be silent once it has begun.
 *
 * **Details**
 *
 * It may take ten minutes to begin, or as long as the limit where that is longer:
 * a model on a small machine reads a long history first.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (limit: Duration.Duration): Effect.Effect<Silence> =>
  Effect.map(Clock.Clock, (clock) => {
    const limitMillis = Duration.toMillis(limit)
    const begun = Deferred.makeUnsafe<void>()
    let last = clock.currentTimeMillisUnsafe()
    const heard = (): void => {
      last = clock.currentTimeMillisUnsafe()
      Deferred.doneUnsafe(begun, Effect.void)
    }
    const waiting: Effect.Effect<never, ModelFailed> = Effect.suspend(() => {
      const rest = last + limitMillis - clock.currentTimeMillisUnsafe()
      return rest > 0 ? Effect.andThen(Effect.sleep(rest), waiting) : Effect.fail(silent(limit))
    })
    const first = Duration.max(limit, Duration.minutes(10))
    return {
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        return response.body === null ? response : new Response(
          response.body.pipeThrough(
            new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
              transform: (bytes, out) => {
                heard()
                out.enqueue(bytes)
              }
            })
          ),
          response
        )
      },
      broken: Deferred.await(begun).pipe(
        Effect.timeoutOrElse({ duration: first, orElse: () => Effect.fail(silent(first)) }),
        Effect.andThen(waiting)
      )
    }
  })

/**
 * The failure of a model that said nothing for so long.
 *
 * @category errors
 * @since 0.1.0
 */
export const silent = (limit: Duration.Duration): ModelFailed =>
  new ModelFailed({ reason: "silent", detail: `nothing came for ${Duration.format(limit)}`, retryable: true })
