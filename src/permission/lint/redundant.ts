/**
 * Rules that do nothing, because another one does it.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { Rule } from "../../domain/Rule.ts"
import { programOf } from "../rule/compileCommand.ts"
import { printRule } from "../rule/printRule.ts"
import { covers } from "./covers.ts"
import { exampleOf } from "./exampleOf.ts"
import type { Example } from "./Finding.ts"

/**
 * A rule without effect, the one that takes its place, and a call that shows it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Redundant {
  readonly rule: Rule
  readonly because: Rule
  readonly kind: "duplicate" | "unreachable" | "contained"
  readonly example: Example
}

/**
 * Returns the rules that could be taken away, one or all of them, without
 * changing any decision.
 *
 * @category searching
 * @since 0.1.0
 */
export const redundant = (rules: ReadonlyArray<Rule>, place: Place): ReadonlyArray<Redundant> => {
  const candidates = arranged(rules)
  const found = new Map<Rule, Redundant>()
  // Backwards, so that of equal rules the first one stays.
  for (const rule of [...rules].reverse()) {
    const example = exampleOf(rule, place)
    if (example === undefined) continue
    // INVARIANT: what takes a rule's place is not itself found before, so that there is always one that stays.
    const because = nearestOf(
      rule,
      candidates(rule).filter((other) => other !== rule && !found.has(other) && covers(other, rule, place))
    )
    if (because !== undefined) found.set(rule, { rule, because, kind: kindOf(rule, because), example })
  }
  return rules.flatMap((rule) => found.get(rule) ?? [])
}

const kindOf = (rule: Rule, because: Rule): Redundant["kind"] => {
  if (rule.behavior !== because.behavior) return "unreachable"
  return printRule(rule.pattern) === printRule(because.pattern) ? "duplicate" : "contained"
}

const order = { deny: 0, ask: 1, allow: 2 }

// The strictest says most, and of those one of the same file that is no bare tool.
const nearestOf = (rule: Rule, others: ReadonlyArray<Rule>): Rule | undefined => {
  const distance = ({ behavior, origin, pattern }: Rule): number =>
    order[behavior] * 4 + (origin.file === rule.origin.file ? 0 : 2) + (pattern.specifier._tag === "Any" ? 1 : 0)
  return others.reduce<Rule | undefined>(
    (first, next) => first === undefined || distance(next) < distance(first) ? next : first,
    undefined
  )
}

/** Among thousands of rules only those of the same tool and first word are worth comparing. */
const arranged = (rules: ReadonlyArray<Rule>): (rule: Rule) => ReadonlyArray<Rule> => {
  const groups = Map.groupBy(rules, keyOf)
  return (rule) => [
    ...groups.get(keyOf(rule)) ?? [],
    ...[wholeTool(rule), manyTools].flatMap((key) => key === keyOf(rule) ? [] : groups.get(key) ?? [])
  ]
}

const manyTools = "*"

const wholeTool = ({ pattern: { tool } }: Rule): string => `${tool.join("*")} `

const keyOf = (rule: Rule): string => {
  const { specifier, tool } = rule.pattern
  if (tool.length > 1 || tool[0]?.startsWith("mcp__") === true) return manyTools
  const program = specifier._tag === "Command" ? programOf(specifier) : undefined
  return `${wholeTool(rule)}${program ?? ""}`
}
