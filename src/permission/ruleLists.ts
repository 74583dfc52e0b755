/**
 * Lists of rules that were put together, and are still known apart: what is
 * compiled from one of them can be kept when another one changes.
 *
 * @since 0.1.0
 */
import type { Rule } from "../domain/Rule.ts"

/**
 * Puts lists together, those that were put together before by their parts.
 *
 * @category combining
 * @since 0.1.0
 */
export const joined = (lists: ReadonlyArray<ReadonlyArray<Rule>>): ReadonlyArray<Rule> => {
  const filled = lists.flatMap(listsOf)
  const rules = filled.flat()
  parts.set(rules, filled)
  return rules
}

/**
 * Returns the lists that rules were put together from: the rules themselves where
 * they were not.
 *
 * @category getters
 * @since 0.1.0
 */
export const listsOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> =>
  parts.get(rules) ?? (rules.length === 0 ? [] : [rules])

const parts = new WeakMap<ReadonlyArray<Rule>, ReadonlyArray<ReadonlyArray<Rule>>>()
