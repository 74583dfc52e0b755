/**
 * The decision without the index of rules: every rule is looked at for every
 * demand, so that the index has something to agree with.
 *
 * @since 0.1.0
 */
import type { Judged } from "../domain/Decision.ts"
import type { Rule } from "../domain/Rule.ts"
import type { Evidence, Side } from "../permission/Evidence.ts"
import { judge } from "../permission/judge.ts"
import { matchTool } from "../permission/rule/matchTool.ts"
import type { RuleIndex } from "../permission/RuleIndex.ts"
import { rulesFor } from "../permission/rulesFor.ts"

/**
 * Judges every demand of a call, slowly.
 *
 * @category deciding
 * @since 0.1.0
 */
export const decideLinearly = (evidence: Evidence): ReadonlyArray<Judged> => {
  const rules = rulesFor(unarranged(evidence.policy.rules), evidence)
  const judged = (side: Side): ReadonlyArray<Judged> =>
    side.demands.map((demand) => judge(demand, { side, evidence, rulesFor: rules, explain: false }))
  return [...(evidence.original === undefined ? [] : judged(evidence.original)), ...judged(evidence.effective)]
}

const unarranged = (rules: ReadonlyArray<Rule>): RuleIndex => {
  const named = (tool: string): ReadonlyArray<Rule> => rules.filter(({ pattern }) => matchTool(pattern.tool, tool))
  const aboutCommands = ({ pattern }: Rule): boolean => pattern.specifier._tag === "Command"
  return {
    forTool: (tool) => named(tool).filter((rule) => !aboutCommands(rule)),
    forCommand: (tool) => named(tool).filter(aboutCommands),
    restrictsShell: rules.some(({ behavior, pattern }) =>
      behavior !== "allow" && ["Bash", "Read", "Edit", "Write"].some((tool) => matchTool(pattern.tool, tool))
    ),
    restrictingPaths: rules.filter(({ behavior, pattern }) => behavior !== "allow" && pattern.specifier._tag === "Path")
  }
}
