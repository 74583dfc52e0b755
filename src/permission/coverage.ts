/**
 * How a command comes to be allowed: by a rule, because it only reads, or
 * because that holds for all that it starts.
 *
 * @since 0.1.0
 */
import type { Rule } from "../domain/Rule.ts"
import type { SimpleCommand } from "../domain/ShellCommand.ts"
import { isPlainVariable, isSafeVariable } from "./bash/safeVariables.ts"
import type { DemandOf } from "./Demand.ts"
import type { Evidence } from "./Evidence.ts"
import { assigned, ofWords } from "./matchDemand.ts"
import { type Matched, no, yes } from "./Matched.ts"
import { spellsLine, spellsOut } from "./rule/matchCommand.ts"

/**
 * What covers a command.
 *
 * **Details**
 *
 * `bare` is a rule for every use of the tool, `line` one that spells out the
 * whole line, `exact` one that spells the command out, `rule` one with a gap,
 * `reading` the read-only analysis, `none` nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Coverage extends Matched {
  readonly by: "bare" | "line" | "exact" | "rule" | "reading" | "none"
}

/**
 * With what a command may be covered. `readOnly` says why a command does not only
 * read; nothing where that is not the question. `shellRestricted` says that there are
 * rules that deny or ask about commands or files: then no rule at all covers a
 * line that is not understood.
 *
 * @category models
 * @since 0.1.0
 */
export interface Covering {
  readonly rules: ReadonlyArray<Rule>
  readonly readOnly: Evidence["readOnly"]
  readonly shellRestricted: boolean
}

/**
 * Finds what covers a command of a line.
 *
 * @category deciding
 * @since 0.1.0
 */
export const coverage = (demand: DemandOf<"Command">, covering: Covering): Coverage => {
  const { command, line, understood } = demand
  if (covering.rules.some(({ pattern }) => pattern.specifier._tag === "Any")) {
    if (understood || !covering.shellRestricted) return { by: "bare", ...yes("it covers every use of the tool") }
  }
  if (!understood) return { by: "none", ...no("the line can't be fully read") }
  return covering.rules.some(({ pattern: { specifier } }) =>
      specifier._tag === "Command" && spellsLine(specifier, line)
    )
    ? { by: "line", ...yes("it spells out the whole line") }
    : ofCommand(command, covering)
}

/**
 * Finds what covers a command that another one of the line starts, perhaps by
 * covering that one; `whole` is what covers the command that starts them all.
 *
 * @category deciding
 * @since 0.1.0
 */
export const coverageWithin = (
  demand: DemandOf<"Command">,
  command: SimpleCommand,
  whole: Coverage,
  covering: Covering
): Coverage => {
  const descend = (outer: SimpleCommand, own: Coverage): Coverage => {
    if (outer === command || own.by !== "reading" && own.by !== "none") return own
    const next = outer.inner.find((inner) => holds(inner, command))
    return next === undefined ? own : descend(next, ofCommand(next, covering))
  }
  return descend(demand.command, whole)
}

/**
 * Returns the commands that lack a rule: those inside a command that an allow
 * rule may look through, or the command itself.
 *
 * @category deciding
 * @since 0.1.0
 */
export const uncovered = (command: SimpleCommand, covering: Covering): ReadonlyArray<SimpleCommand> => {
  if (ofCommand(command, covering).by !== "none") return []
  return command.transparent && command.inner.length > 0
    ? command.inner.flatMap((inner) => uncovered(inner, covering))
    : [command]
}

const holds = (outer: SimpleCommand, command: SimpleCommand): boolean =>
  outer === command || outer.inner.some((inner) => holds(inner, command))

const ofCommand = (command: SimpleCommand, covering: Covering): Coverage => {
  if (startsUnknown(command)) return { by: "none", ...no("which program it starts is only known when it runs") }
  // Beside a command a variable reaches that program; alone, a plain name reaches nobody but the line itself.
  const isFree = command.words.length === 0 ? isPlainVariable : isSafeVariable
  const risky = command.assignments.find(({ name }) => !isFree(name))
  const byRule = ofRules(command, covering.rules, risky === undefined)
  if (byRule.matched === "yes") return byRule
  if (risky !== undefined) return { by: "none", ...no(`the variable \`${risky.name}\` may change what runs`) }

  const reading = onlyReads(command, covering)
  if (reading.matched === "yes") return { by: "reading", ...reading }
  if (command.transparent && command.inner.length > 0) {
    const inner = command.inner.map((one) => ofCommand(one, covering).by)
    const weakest = strengths.find((by) => inner.includes(by)) ?? "none"
    if (weakest !== "none") return { by: weakest, ...yes("all that it starts is allowed") }
  }
  return reading.why === "" ? byRule : { by: "none", ...reading }
}

/** Whether a command is, or starts, a program whose name only running the line tells. */
const startsUnknown = ({ inner, words }: SimpleCommand): boolean =>
  words[0] !== undefined && words[0].value === undefined || inner.some(startsUnknown)

const strengths = ["none", "reading", "rule", "exact", "line", "bare"] as const

const ofRules = (command: SimpleCommand, rules: ReadonlyArray<Rule>, safe: boolean): Coverage => {
  const written = [...assigned(command), ...command.words]
  const forms = safe && command.assignments.length > 0 ? [command.words, written] : [written]
  let found: Coverage = { by: "none", ...no("the words differ") }
  for (const rule of rules) {
    const { specifier } = rule.pattern
    if (specifier._tag !== "Command") continue
    if (forms.some((words) => spellsOut(specifier, words))) return { by: "exact", ...yes("it spells the command out") }
    const matched = forms.map((words) => ofWords(rule, words)).find((one) => one.matched === "yes")
    if (matched === undefined || found.matched === "yes") continue
    // A rule that spells the command out may still come, and allows more.
    found = command.exactOnly
      ? { by: "none", ...no("only a rule that spells this command out covers it") }
      : { by: "rule", ...matched }
  }
  return found
}

const onlyReads = (command: SimpleCommand, { readOnly }: Covering): Matched => {
  if (command.words.length === 0) {
    return yes(command.assignments.length === 0 ? "it only opens files" : "it only sets variables of the line")
  }
  // A repository's own configuration can make git run programs, so that git only reads where the call stands.
  if (command.words[0]?.value === "git" && command.directory !== ".") return no("git runs in another folder")
  const analysis = readOnly(command)
  return analysis.readOnly ? yes("it only reads") : no(analysis.why)
}
