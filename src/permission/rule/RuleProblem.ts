/**
 * What is wrong with one rule, before it is known which file it stands in.
 *
 * @since 0.1.0
 */
import type { Behavior } from "../../domain/Rule.ts"

/**
 * One thing that is wrong with a rule. `offset` counts from 0 in its text;
 * `meant` is the rule that was probably meant.
 *
 * @category models
 * @since 0.1.0
 */
export interface RuleProblem {
  readonly severity: "error" | "warning"
  readonly message: string
  readonly offset: number
  readonly meant?: string
}

/**
 * Makes a problem that leaves the rule as it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const warning = (message: string, offset: number, meant?: string): RuleProblem => ({
  severity: "warning",
  message,
  offset,
  ...(meant === undefined ? {} : { meant })
})

/**
 * Makes a problem that costs the rule, or changes what it says. To lose an
 * allow rule means another question; to lose a deny or ask rule is an error.
 *
 * @category constructors
 * @since 0.1.0
 */
export const loss = (behavior: Behavior, message: string, offset: number, meant?: string): RuleProblem => ({
  ...warning(message, offset, meant),
  severity: behavior === "allow" ? "warning" : "error"
})
