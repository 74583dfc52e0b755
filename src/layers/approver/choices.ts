/**
 * What a person can choose when they are asked.
 *
 * @since 0.1.0
 */
import type { Answer, Question } from "../../domain/Question.ts"
import type { RuleSource } from "../../domain/Rule.ts"

/**
 * One choice: an answer, a denial that asks for its reason first, or a look at
 * what was left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Choice {
  readonly title: string
  readonly does: Answer | "explain" | "show"
  readonly selected: boolean
}

/**
 * Returns the choices for a question, the one that Enter alone would take
 * marked as selected.
 *
 * **Details**
 *
 * "Always" is offered only where rules were suggested. Enter alone never permits
 * what destroys something, nor what was not shown whole.
 *
 * @category getters
 * @since 0.1.0
 */
export const choices = (question: Question, hidden: number): ReadonlyArray<Choice> => {
  const { suggestions, warning } = question.decision
  const initial = hidden > 0 ? "show" : warning === undefined ? "once" : "deny"
  return [
    { title: "Allow once", does: { _tag: "Once" }, selected: initial === "once" },
    ...(suggestions.length === 0 ? [] : destinations).map(({ destination, where }): Choice => ({
      title: `Always allow ${where}`,
      does: { _tag: "Always", destination },
      selected: false
    })),
    { title: "Deny", does: { _tag: "Denied" }, selected: initial === "deny" },
    { title: "Deny, and say why", does: "explain", selected: false },
    ...(hidden === 0
      ? []
      : [{ title: `Show the ${hidden} hidden rows first`, does: "show", selected: true } satisfies Choice])
  ]
}

const destinations: ReadonlyArray<{ readonly destination: RuleSource; readonly where: string }> = [
  { destination: "session", where: "in this session (kept until you delete it)" },
  { destination: "localSettings", where: "in this project (.claude/settings.local.json)" },
  { destination: "userSettings", where: "everywhere (your user settings)" }
]
