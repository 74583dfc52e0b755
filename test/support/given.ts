/** A stage as an effect of its own, for tests that provide what it needs. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export const given =
  <A, R, B, E, R2>(stage: (call: A, services: Context.Context<R>) => Effect.Effect<B, E, R2>) =>
  (call: A): Effect.Effect<B, E, R | R2> => Effect.contextWith((services: Context.Context<R>) => stage(call, services))
