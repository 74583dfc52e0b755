/**
 * The rules of a policy with none left out, for those who want to know of each
 * why it did not decide.
 *
 * @since 0.1.0
 */
import type { Policy } from "../domain/Policy.ts"
import { indexOf, type RuleIndex } from "./RuleIndex.ts"

/**
 * Returns the index of a policy that also gives the rules which it knows can't
 * match, after those that may.
 *
 * @category constructors
 * @since 0.1.0
 */
export const everyRule = (policy: Policy): RuleIndex => {
  const index = indexOf(policy)
  return {
    ...index,
    forCommand: (tool, first) => {
      const found = index.forCommand(tool, first)
      const given = new Set(found)
      const others = policy.rules.filter((rule) =>
        rule.pattern.specifier._tag === "Command" && rule.pattern.tool.length === 1 && rule.pattern.tool[0] === tool &&
        !given.has(rule)
      )
      return [...found, ...others]
    }
  }
}
