/**
 * The rules that "always allow" would save.
 *
 * @since 0.1.0
 */
import type { Judged } from "../domain/Decision.ts"
import type { SimpleCommand } from "../domain/ShellCommand.ts"
import { isSafeVariable } from "./bash/safeVariables.ts"
import { uncovered } from "./coverage.ts"
import type { Demand } from "./Demand.ts"
import type { Evidence } from "./Evidence.ts"
import { assigned, resolvedOf } from "./matchDemand.ts"
import { type Part, suggest } from "./rule/suggest.ts"
import type { RulesFor } from "./rulesFor.ts"

/**
 * Returns the least general rules that would have permitted a call, one for each
 * part that asked; none at all when a part can't be covered, or too many would
 * be needed.
 *
 * @category getters
 * @since 0.1.0
 */
export const suggestionsFor = (
  evidence: Evidence,
  judged: ReadonlyArray<Judged>,
  rulesFor: RulesFor
): ReadonlyArray<string> => {
  const { demands } = evidence.effective
  const own = judged.slice(judged.length - demands.length)
  const parts: Array<Part> = []
  for (const [at, demand] of demands.entries()) {
    if (own[at]?.verdict !== "ask") continue
    const found = partsOf(demand, evidence, rulesFor)
    if (found === undefined) return []
    parts.push(...found)
  }
  return suggest(parts, evidence.place)
}

/** What of a demand needs a rule, or undefined where no rule can help. */
const partsOf = (demand: Demand, evidence: Evidence, rulesFor: RulesFor): ReadonlyArray<Part> | undefined => {
  const { tool } = evidence
  switch (demand._tag) {
    case "Command":
      if (!demand.understood) return undefined
      return uncovered(demand.command, {
        rules: rulesFor.allowing(demand),
        readOnly: evidence.readOnly,
        shellRestricted: rulesFor.restrictsShell
      }).map((command) => ({ _tag: "Command", command: asWritten(command), tool }))
    case "File":
      if (demand.path === undefined) return undefined
      return [{
        _tag: "File",
        access: demand.access === "read" ? "read" : "edit",
        path: resolvedOf(demand.path, evidence)
      }]
    case "Folder":
      return [{ _tag: "File", access: "read", path: resolvedOf(demand.path, evidence) }]
    case "Address":
      return tool === "WebFetch" ? [{ _tag: "Url", url: demand.url }] : undefined
    case "Agent":
      return [{ _tag: "Name", tool, name: demand.name }]
    case "Tool":
      return [{ _tag: "Tool", tool }]
  }
}

/** A variable that may change what runs has to be part of the rule, and of the exact text alone. */
const asWritten = (command: SimpleCommand): SimpleCommand =>
  command.assignments.every(({ name }) => isSafeVariable(name))
    ? command
    : { ...command, words: [...assigned(command), ...command.words], exactOnly: true }
