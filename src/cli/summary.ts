/**
 * What became of a call that did not get done, in one sentence for a person.
 *
 * @since 0.1.0
 */
import type { Decision } from "../domain/Decision.ts"
import type { Answer } from "../domain/Question.ts"
import { contentText } from "./contentText.ts"
import { oneLine } from "./line.ts"
import { placeOf } from "./placeOf.ts"
import type { Report } from "./Reporter.ts"

/**
 * Says what became of a call, and what can be done about it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const summary = ({ answer, decision, outcome, result, use }: Report): string => {
  const said = contentText(result.content).replace(/<\/?tool_use_error>/g, "").trim()
  switch (outcome) {
    case "done":
      return `\`${use.name}\` is done`
    case "failed":
      return said.includes("\n") ? `\`${use.name}\` failed` : `\`${use.name}\` failed: ${said}`
    case "wrong":
      // What follows the first line explains the schema to a model. What was decided about had the right form.
      return `${said.split("\n", 1)[0] ?? ""}${decision === undefined ? "; see `toolgate tools`" : ""}`
    case "denied":
      return decision === undefined ? said : `\`${use.name}\` was denied: ${denial(decision, answer)}`
    case "stopped":
      return `\`${use.name}\` was stopped before it was done`
    case "internal":
      return said
  }
}

const denial = (decision: Decision, answer: Answer | undefined): string => {
  const { rule } = decision
  const place = rule === undefined ? "" : ` (${rule.behavior} rule \`${rule.text}\`, ${placeOf(rule.origin)})`
  if (decision.verdict === "deny") return `${decision.why}${place}`
  // Nothing else denies what was allowed.
  if (decision.verdict === "allow" || answer?._tag === "Once" || answer?._tag === "Always") {
    return "the audit log that settings require could not be written"
  }
  if (answer?._tag === "Denied") return "you declined"
  if (answer?._tag !== "Nobody") return `${decision.why}${place}, and asking ended in no`
  return `${decision.why}${place}, and ${answer.why}${advice(decision.suggestions.join(" "))}`
}

/** What would not stand on the line as it has to be typed is no advice. */
const advice = (rules: string): string =>
  rules === "" || oneLine(rules, 500) !== rules
    ? ""
    : `; allow it with --allowed-tools '${rules.replaceAll("'", "'\\''")}'`
