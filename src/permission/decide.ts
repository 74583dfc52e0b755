/**
 * The decision: pure and total, no file read, nobody asked.
 *
 * @since 0.1.0
 */
import type { Decision, Judged, Verdict } from "../domain/Decision.ts"
import { everyRule } from "./everyRule.ts"
import type { Evidence, Side } from "./Evidence.ts"
import { judge } from "./judge.ts"
import { indexOf } from "./RuleIndex.ts"
import { type RulesFor, rulesFor } from "./rulesFor.ts"
import { suggestionsFor } from "./suggestionsFor.ts"
import { warningOf } from "./warningOf.ts"

/**
 * Decides about a call: each of its demands goes through the table, and the
 * strictest verdict is the call's.
 *
 * @category deciding
 * @since 0.1.0
 */
export const decide = (evidence: Evidence): Decision => decideWith(evidence, false)

/**
 * Decides like `decide` and says of every rule why it did not.
 *
 * @category deciding
 * @since 0.1.0
 */
export const explain = (evidence: Evidence): Decision => decideWith(evidence, true)

const decideWith = (evidence: Evidence, explaining: boolean): Decision => {
  const rules = rulesFor(explaining ? everyRule(evidence.policy) : indexOf(evidence.policy), evidence)
  const judged = [
    ...(evidence.original === undefined ? [] : judgeSide(evidence.original, evidence, rules, explaining)),
    ...judgeSide(evidence.effective, evidence, rules, explaining)
  ]
  const strictest = judged.reduce(
    (first, next) => strictness(next) < strictness(first) ? next : first,
    judged[0] ?? unseen
  )
  const asks = strictest.verdict === "ask"
  const mustAsk = asks && judged.some((one) => one.verdict === "ask" && one.mustAsk)
  const warning = asks ? warningOf(evidence.effective) : undefined
  return {
    verdict: strictest.verdict,
    mustAsk,
    row: strictest.row,
    by: strictest.by,
    why: strictest.why,
    ...(strictest.rule === undefined ? {} : { rule: strictest.rule }),
    judged,
    suggestions: asks && !mustAsk ? suggestionsFor(evidence, judged, rules) : [],
    ...(warning === undefined ? {} : { warning })
  }
}

const judgeSide = (
  side: Side,
  evidence: Evidence,
  rules: RulesFor,
  explain: boolean
): ReadonlyArray<Judged> => side.demands.map((demand) => judge(demand, { side, evidence, rulesFor: rules, explain }))

const order: { readonly [V in Verdict]: number } = { deny: 0, ask: 2, allow: 4 }

/** Among asks, one that must be asked of a person speaks first. */
const strictness = ({ mustAsk, verdict }: Judged): number => order[verdict] - (mustAsk ? 1 : 0)

/** A call that demands nothing was not understood. */
const unseen: Judged = {
  demand: "the call",
  verdict: "ask",
  mustAsk: true,
  row: 4,
  by: "reading",
  why: "nothing is known about what it would do",
  candidates: []
}
