/**
 * A decision as a person reads it: the verdict, then each part of the call with
 * everything that was looked at for it.
 *
 * @since 0.1.0
 */
import type { Candidate, Decision, Judged } from "../domain/Decision.ts"
import { hanging } from "./hanging.ts"
import { oneLine } from "./line.ts"
import { placeOf } from "./placeOf.ts"

/**
 * Renders a decision with its trace.
 *
 * **Details**
 *
 * The first line says it all: `ask Bash: ...`. A candidate's line says whether it
 * matched, what it would decide, and what it is; `>` marks the one that decided.
 * Rows are broken only where a number of columns is given.
 *
 * @category formatting
 * @since 0.1.0
 */
export const decisionText = (tool: string, decision: Decision, columns?: number): string =>
  [
    hanging(`${decision.verdict} ${oneLine(tool)}: `, oneLine(decision.why), columns),
    ...(decision.rule === undefined ? [] : [hanging("  ", ruleText(decision.rule), columns)]),
    ...(decision.warning === undefined ? [] : [hanging("warning: ", oneLine(decision.warning), columns)]),
    ...decision.judged.flatMap((part) => ["", ...partText(part, columns)]),
    ...(decision.suggestions.length === 0
      ? []
      : ["", "\"always allow\" would save:", ...decision.suggestions.map((rule) => `  ${oneLine(rule)}`)]),
    ""
  ].join("\n")

const partText = (part: Judged, columns: number | undefined): ReadonlyArray<string> => [
  oneLine(part.demand),
  hanging("  ", `${part.verdict}, row ${part.row}, ${part.by}: ${oneLine(part.why)}`, columns),
  ...part.candidates.map((candidate) => candidateText(candidate, columns))
]

const candidateText = (
  { by, deciding, matched, rule, says, why }: Candidate,
  columns: number | undefined
): string => {
  const label = `  ${deciding ? ">" : " "} ${matched.padEnd(5)} ${says.padEnd(5)} `
  return hanging(label, `${rule === undefined ? by : ruleText(rule)}: ${oneLine(why)}`, columns)
}

const ruleText = ({ behavior, origin, text }: NonNullable<Decision["rule"]>): string =>
  `${behavior} rule \`${oneLine(text)}\`, ${oneLine(placeOf(origin))}`
