/**
 * Which rules may have a say about a demand.
 *
 * @since 0.1.0
 */
import type { Rule } from "../domain/Rule.ts"
import type { Demand } from "./Demand.ts"
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
 * alone. A Read rule that denies reaches edits as well; an Edit rule that allows
 * lets the file be read.
 *
 * @category constructors
 * @since 0.1.0
 */
export const rulesFor = (index: RuleIndex, { server, tool }: Pick<Evidence, "server" | "tool">): RulesFor => {
  const commands = (demand: Extract<Demand, { readonly _tag: "Command" }>, name: string): ReadonlyArray<Rule> => {
    const first = forms(demand.command).flatMap((words) => {
      const word = words[0]?.value?.split(/\s/, 1)[0]
      return [word, word?.toLowerCase()]
    })
    return [...index.forCommand(name, first), ...index.forTool(name)]
  }
  const allows = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> =>
    rules.filter(({ behavior }) => behavior === "allow")
  const restricts = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> =>
    rules.filter(({ behavior }) => behavior !== "allow")
  const own = (demand: Demand): ReadonlyArray<Rule> =>
    demand._tag === "File" && demand.from !== "tool" ? [] : index.forTool(tool, server)
  const unlessOwn = (name: string): ReadonlyArray<Rule> => name === tool ? [] : index.forTool(name)

  const choice: RulesFor = {
    restrictsShell: index.restrictsShell,
    restricting: (demand) => {
      switch (demand._tag) {
        case "Command":
          return restricts(
            tool === "Bash" ? commands(demand, tool) : [...commands(demand, "Bash"), ...commands(demand, tool)]
          )
        case "File":
          return restricts([
            ...own(demand),
            ...(demand.access === "read" || tool !== "NotebookEdit" ? fileRules("Read", demand) : []),
            ...(demand.access === "read" ? [] : fileRules("Edit", demand))
          ])
        case "Folder":
          return restricts([...own(demand), ...unlessOwn("Read")])
        case "Tool":
          return restricts([
            ...own(demand),
            ...index.forCommand(tool, [undefined]),
            ...(fileTools.get(tool) ?? []).flatMap(unlessOwn)
          ])
        default:
          return restricts(own(demand))
      }
    },
    allowing: (demand) => {
      switch (demand._tag) {
        case "Command":
          return allows(commands(demand, tool))
        case "File":
          return allows([
            ...own(demand),
            ...fileRules("Edit", demand),
            ...(demand.access === "read" ? fileRules("Read", demand) : [])
          ])
        case "Folder":
          return allows([...own(demand), ...unlessOwn("Read"), ...unlessOwn("Edit")])
        default:
          return allows(own(demand))
      }
    }
  }
  return { ...choice, allowing: once(choice.allowing), restricting: once(choice.restricting) }

  function fileRules(name: string, demand: Extract<Demand, { readonly _tag: "File" }>): ReadonlyArray<Rule> {
    return demand.from === "tool" && name === tool ? [] : index.forTool(name)
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

const once = (choose: (demand: Demand) => ReadonlyArray<Rule>): (demand: Demand) => ReadonlyArray<Rule> => {
  const chosen = new Map<Demand, ReadonlyArray<Rule>>()
  return (demand) => {
    const rules = chosen.get(demand) ?? choose(demand)
    chosen.set(demand, rules)
    return rules
  }
}
