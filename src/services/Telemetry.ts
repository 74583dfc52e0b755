/**
 * Who watches how calls go, to tell a tracer and a collector of numbers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Outcome, Stage } from "../domain/CallEvent.ts"
import type { Decider, Verdict } from "../domain/Decision.ts"

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
 * What is known of a decision: what the rules came to, what came of it in the
 * end, and who had the last word.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecisionFacts {
  readonly tool: string
  readonly decided: Verdict
  readonly verdict: "allow" | "deny"
  readonly by: Decider
}

/**
 * What watches calls.
 *
 * **Details**
 *
 * `call` and `stage` run what they are given and change nothing about it. Nothing
 * that they are told holds a word of the user's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Watcher {
  readonly call: <A extends { readonly facts: CallFacts }, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly stage: (stage: Stage) => <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly decided: (facts: DecisionFacts) => Effect.Effect<void>
}

/**
 * The watcher that does nothing.
 *
 * @category constants
 * @since 0.1.0
 */
export const off: Watcher = { call: (run) => run, stage: () => (run) => run, decided: () => Effect.void }

/**
 * Reference to what watches calls. Nothing does unless told to.
 *
 * @category services
 * @since 0.1.0
 */
export const Telemetry = Context.Reference<Watcher>("toolgate/services/Telemetry", { defaultValue: () => off })
