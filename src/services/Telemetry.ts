/**
 * Who watches how calls go, to tell a tracer and a collector of numbers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Outcome } from "../domain/CallEvent.ts"
import type { Watch } from "../domain/Watch.ts"

/**
 * What is known of a call once it has ended. `error` is a name that is safe to
 * send.
 *
 * @category models
 * @since 0.1.0
 */
export interface CallFacts {
  readonly tool: string | undefined
  readonly outcome: Outcome
  readonly error: string | undefined
}

/**
 * What watches calls: it runs each one with a watch of its own, and changes
 * nothing about it.
 *
 * @category models
 * @since 0.1.0
 */
export type Watcher = <A extends { readonly facts: CallFacts }, E, R>(
  run: (watch: Watch | undefined) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/**
 * The watcher that does nothing.
 *
 * @category constants
 * @since 0.1.0
 */
export const off: Watcher = (run) => run(undefined)

/**
 * Reference to what watches calls. Nothing does unless told to.
 *
 * @category services
 * @since 0.1.0
 */
export const Telemetry = Context.Reference<Watcher>("toolgate/services/Telemetry", { defaultValue: () => off })
