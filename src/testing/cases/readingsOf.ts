/**
 * The answers that what was seen of a case can be called.
 *
 * @since 0.1.0
 */
import { canonicalName } from "../../domain/toolNames.ts"
import type { Answer, Case } from "./Case.ts"
import type { Observation } from "./Observation.ts"

/**
 * Reads what was seen of the case's own call as one of the four answers.
 *
 * **Details**
 *
 * A question that a person was shown is `ask`; one that nobody could be shown
 * is `deny`. What never came to a decision is `error`. A file tool refuses a file
 * when it has opened it: its failure is `error` where the case says what is on
 * the disk, and either way round where the file is none that it speaks of.
 *
 * @category reading
 * @since 0.1.0
 */
export const readingsOf = (
  one: Case,
  seen: Pick<Observation, "decision" | "questions" | "results" | "starts">
): ReadonlyArray<Answer> => {
  const { decision } = seen
  if (decision === undefined) return ["error"]
  const id = one.given.batch?.[0]?.id ?? "t1"
  if (decision.verdict === "deny") return ["deny"]
  if (seen.questions.some(({ question }) => question.id === id)) return ["ask"]
  // A hook may have answered in place of a person.
  const started = seen.starts.some((start) => start.id === id)
  if (decision.verdict === "ask" && !started) return ["deny"]
  const failed = seen.results.find((result) => result.id === id)?.failed === true
  if (!failed || !started || !fileTools.has(canonicalName(one.call.name)) || behaves(one)) return ["allow"]
  return one.call.name === "Edit" || one.call.name === "Write" || describes(one) ? ["error"] : ["allow", "error"]
}

const fileTools: ReadonlySet<string> = new Set(["Read", "Edit", "Write", "Grep", "Glob"])

const behaves = ({ call, given }: Case): boolean =>
  given.tools?.some(({ behaviour, name }) => name === call.name && behaviour !== undefined) === true

/** Whether the case says what is at the path of its call. */
const describes = ({ call: { input }, given }: Case): boolean => {
  if (typeof input !== "object" || input === null) return false
  const paths: ReadonlyArray<unknown> = Object.values(input)
  return Object.keys(given.fs ?? {}).some((path) =>
    paths.some((named) => typeof named === "string" && (named === path || `${given.cwd}/${named}` === path))
  )
}
