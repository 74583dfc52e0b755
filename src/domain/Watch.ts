/**
 * Who is told how a call goes on, step by step.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Stage } from "./CallEvent.ts"
import type { Decider, Verdict } from "./Decision.ts"

/**
 * What watches one call.
 *
 * **Details**
 *
 * `stage` runs a stage and changes nothing about it; a stage that is over at once
 * gives an `Exit`. `found` is told the tool as soon as it is known, which may be
 * before any stage, and again. Nothing that a watch is told holds a word of the
 * user's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Watch {
  readonly stage: <A, E, R>(stage: Stage, run: () => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly found: (tool: string) => void
  readonly decided: (facts: DecisionFacts) => void
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
