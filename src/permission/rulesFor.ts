/**
 * Which rules may have a say about a demand.
 *
 * @since 0.1.0
 */
import type { Rule } from "../domain/Rule.ts"
import type { Demand, DemandOf } from "./Demand.ts"
import type { Evidence } from "./Evidence.ts"
import { forms } from "./matchDemand.ts"
import type { RuleIndex } from "./RuleIndex.ts"

/**
 * Gives the rules that may restrict a demand and those that may allow it.
 *
 * @category models
 * @since 0.1.0
 */
export interface RulesFor {
  readonly restricting: (demand: Demand) => ReadonlyArray<Rule>
  readonly allowing: (demand: Demand) => ReadonlyArray<Rule>
  readonly restrictsShell: boolean
}

/**
 * Makes the choice of rules for a tool out of an index.
 *
 * **Details**
 *
 * Rules for Bash restrict every tool that runs a shell line, and allow Bash
 * alone; so do those for WebFetch with every tool that fetches an address. A
 * Read rule that denies reaches edits as well; an Edit rule that allows lets the
 * file be read.
 *
 * @category constructors
 * @since 0.1.0
 */
export const rulesFor = (index: RuleIndex, { server, tool }: Pick<Evidence, "server" | "tool">): RulesFor => {
  const own = index.forTool(tool, server)
  const restricting: Chosen = new Map()
  const allowing: Chosen = new Map()
  return {
    restrictsShell: index.restrictsShell,
    restricting: (demand) => once(restricting, demand, () => mayRestrict(index, tool, own, demand).filter(restricts)),
    allowing: (demand) => once(allowing, demand, () => mayAllow(index, tool, own, demand).filter(allows))
  }
}

type Chosen = Map<Demand, ReadonlyArray<Rule>>

/** A command is held against the same rules for several reasons, the others for one. */
const once = (chosen: Chosen, demand: Demand, choose: () => ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  if (demand._tag !== "Command") return choose()
  const rules = chosen.get(demand) ?? choose()
  chosen.set(demand, rules)
  return rules
}

const allows = ({ behavior }: Rule): boolean => behavior === "allow"

const restricts = ({ behavior }: Rule): boolean => behavior !== "allow"

const mayRestrict = (
  index: RuleIndex,
  tool: string,
  own: ReadonlyArray<Rule>,
  demand: Demand
): ReadonlyArray<Rule> => {
  switch (demand._tag) {
    case "Command":
      return tool === "Bash"
        ? commands(index, tool, demand)
        : [...commands(index, "Bash", demand), ...commands(index, tool, demand)]
    case "File":
      return [
        ...(demand.from === "tool" ? own : []),
        ...(demand.access === "read" || tool !== "NotebookEdit" ? fileRules(index, "Read", tool, demand) : []),
        ...(demand.access === "read" ? [] : fileRules(index, "Edit", tool, demand))
      ]
    case "Folder":
      return [...own, ...unlessOwn(index, "Read", tool)]
    case "Address":
      return [...own, ...unlessOwn(index, "WebFetch", tool)]
    case "Tool":
      return [
        ...own,
        ...index.forCommand(tool, [undefined]),
        ...(fileTools.get(tool) ?? []).flatMap((name) => unlessOwn(index, name, tool))
      ]
    default:
      return own
  }
}

/** Which rules are about the files of a tool, should one of that name not say which it touches. */
const fileTools: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["Edit", ["Read"]],
  ["Glob", ["Read"]],
  ["Grep", ["Read"]],
  ["NotebookEdit", ["Edit"]],
  ["Write", ["Read", "Edit"]]
])

const mayAllow = (
  index: RuleIndex,
  tool: string,
  own: ReadonlyArray<Rule>,
  demand: Demand
): ReadonlyArray<Rule> => {
  switch (demand._tag) {
    case "Command":
      return commands(index, tool, demand)
    case "File":
      return [
        ...(demand.from === "tool" ? own : []),
        ...fileRules(index, "Edit", tool, demand),
        ...(demand.access === "read" ? fileRules(index, "Read", tool, demand) : [])
      ]
    case "Folder":
      return [...own, ...unlessOwn(index, "Read", tool), ...unlessOwn(index, "Edit", tool)]
    default:
      return own
  }
}

const commands = (index: RuleIndex, name: string, demand: DemandOf<"Command">): ReadonlyArray<Rule> => {
  const first = forms(demand.command).flatMap((words) => {
    const word = words[0]?.value?.split(/\s/, 1)[0]
    return [word, word?.toLowerCase()]
  })
  return [...index.forCommand(name, first), ...index.forTool(name)]
}

const fileRules = (index: RuleIndex, name: string, tool: string, demand: DemandOf<"File">): ReadonlyArray<Rule> =>
  demand.from === "tool" && name === tool ? [] : index.forTool(name)

const unlessOwn = (index: RuleIndex, name: string, tool: string): ReadonlyArray<Rule> =>
  name === tool ? [] : index.forTool(name)
