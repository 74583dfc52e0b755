/**
 * Allow rules that go before what a description for the classifier denies.
 *
 * @since 0.1.0
 */
import type { Rule } from "../../domain/Rule.ts"
import { programOf } from "../rule/compileCommand.ts"

/**
 * An allow rule, and a description that would deny some of what it covers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Described {
  readonly rule: Rule
  readonly description: Rule
  readonly text: string
}

/**
 * Returns the allow rules for a tool that go before a description of what the
 * classifier denies: those that cover everything, and those whose program the
 * description names. An allow rule is never set aside for a description.
 *
 * @category searching
 * @since 0.1.0
 */
export const described = (rules: ReadonlyArray<Rule>): ReadonlyArray<Described> => {
  const descriptions = rules.flatMap((description) => {
    const { specifier } = description.pattern
    return description.behavior === "deny" && specifier._tag === "Description"
      ? [{ description, text: specifier.text }]
      : []
  })
  if (descriptions.length === 0) return []
  return rules.flatMap((rule) =>
    descriptions.flatMap(({ description, text }) =>
      goesBefore(rule, description, text) ? [{ rule, description, text }] : []
    )
  )
}

const goesBefore = (rule: Rule, description: Rule, text: string): boolean => {
  const { specifier, tool } = rule.pattern
  if (rule.behavior !== "allow" || tool.length > 1 || tool[0] !== description.pattern.tool[0]) return false
  if (specifier._tag === "Any") return true
  if (specifier._tag !== "Command") return false
  const program = programOf(specifier)
  // A rule that begins with a gap covers every program.
  if (program === undefined) return specifier.pieces[0] === ""
  return text.toLowerCase().split(/[^\w.+-]+/).some((word) => word.replace(/[.-]+$/, "") === program.toLowerCase())
}
