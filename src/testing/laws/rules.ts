/**
 * Laws about adding, moving and repeating rules.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Behavior } from "../../domain/Rule.ts"
import { RuleSource } from "../../domain/Rule.ts"
import { calls } from "../arbitraries/calls.ts"
import { below } from "../arbitraries/oneOf.ts"
import { around, drawnRules, situations, textFor } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { asStrict, bySource, placedRules, type Situation, withRules } from "../Situation.ts"
import { withoutAllowance } from "./calm.ts"

/** A classifier's deny is left out: where a person must be asked, it says nothing. */
const withoutDenyingClassifier = (situation: Situation): Situation =>
  situation.classifier === "deny" ? { ...situation, classifier: "none" } : situation

const addingA = (behavior: Behavior): Arbitrary.Arbitrary<readonly [before: Situation, after: Situation]> =>
  Arbitrary.map(
    Arbitrary.all({ drawn: around(calls), added: drawnRules }),
    ({ added, drawn: { call, situation } }) => {
      const before = withoutDenyingClassifier(situation)
      return [before, withRules(before, { ...added, behavior, text: textFor(added, call) })]
    }
  )

const changingRules = (
  change: (situation: Situation, by: number) => Situation
): Arbitrary.Arbitrary<readonly [before: Situation, after: Situation]> =>
  Arbitrary.map(
    Arbitrary.all({ drawn: around(calls), by: below(8) }),
    ({ by, drawn: { situation } }) => [situation, change(situation, by)]
  )

/**
 * @category laws
 * @since 0.1.0
 */
export const denyNeverWidens: Law.Law = Law.ofVerdicts({
  name: "adding a deny rule never widens",
  statement: "Whatever the call and the other rules are, with one more deny rule, in any source, the verdict is the " +
    "same or a stricter one.",
  situations: addingA("deny"),
  holds: ([before, after]) => asStrict(after, before)
})

/**
 * @category laws
 * @since 0.1.0
 */
export const askNeverWidens: Law.Law = Law.ofVerdicts({
  name: "adding an ask rule never widens",
  statement:
    "With one more ask rule, in any source, the verdict is the same or a stricter one: what was denied stays " +
    "denied, and nothing is allowed that was not before. (What a classifier alone denies is left out: where a person " +
    "must be asked, it has no say.)",
  situations: addingA("ask"),
  holds: ([before, after]) => asStrict(after, before)
})

/**
 * @category laws
 * @since 0.1.0
 */
export const allowNeverNarrows: Law.Law = Law.ofVerdicts({
  name: "adding an allow rule never narrows",
  statement: "With one more allow rule, in any source, the verdict is the same or a looser one: nobody is asked more " +
    "often because of a rule that allows.",
  situations: addingA("allow"),
  holds: ([before, after]) => asStrict(before, after)
})

/**
 * @category laws
 * @since 0.1.0
 */
export const sourceIsIrrelevant: Law.Law = Law.ofVerdicts({
  name: "the source of a rule is irrelevant",
  statement: "Behaviour decides, never the source. When no hook allows, and rules are not anchored at their source, " +
    "the rules of every source can stand in another one, and be read in another order, without any effect.",
  situations: Arbitrary.map(Arbitrary.all({ situation: situations, by: below(8) }), ({ by, situation }) => {
    const calm = withoutAllowance(situation)
    const placed = placedRules(calm.rules).toReversed()
    return [
      calm,
      { ...calm, rules: bySource(placed.map((rule) => ({ ...rule, source: shifted(rule.source, by) }))) }
    ] as const
  }),
  holds: ([before, after]) => before === after
})

const shifted = (source: RuleSource, by: number): RuleSource =>
  RuleSource.literals[(RuleSource.literals.indexOf(source) + by) % RuleSource.literals.length] ?? source

/**
 * @category laws
 * @since 0.1.0
 */
export const orderIsIrrelevant: Law.Law = Law.ofVerdicts({
  name: "the order of rules is irrelevant",
  statement: "The rules of a list can stand in any order: neither the first match nor the last one decides.",
  situations: changingRules((situation, by) => {
    const placed = placedRules(situation.rules)
    return { ...situation, rules: bySource([...placed.slice(by), ...placed.slice(0, by)].toReversed()) }
  }),
  holds: ([before, after]) => before === after
})

/**
 * @category laws
 * @since 0.1.0
 */
export const repetitionIsIrrelevant: Law.Law = Law.ofVerdicts({
  name: "repeating a rule changes nothing",
  statement: "A rule that stands twice, in one list or in two sources, says no more than one that stands once.",
  situations: changingRules((situation, by) => {
    const placed = placedRules(situation.rules)
    const again = placed[by % Math.max(1, placed.length)]
    return again === undefined ? situation : withRules(situation, again)
  }),
  holds: ([before, after]) => before === after
})
