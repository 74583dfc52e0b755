/**
 * Says whether a command surely only looks. Whatever its tables do not know is
 * no: an unknown program, subcommand or flag, or a word that may become a flag.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../../../domain/ShellCommand.ts"
import { isSafeVariable } from "../safeVariables.ts"
import { filesIn } from "./filesIn.ts"
import { isProbe } from "./isProbe.ts"
import { mayBecomeMany } from "./mayBecomeFlag.ts"
import type { Program } from "./Program.ts"
import { lookers } from "./programs/lookers.ts"
import { type Arguments, hasFlag, type Option, readArguments } from "./readArguments.ts"
import { shown } from "./shown.ts"

/**
 * The answer: which files it reads, or why it may do more than look.
 *
 * @category models
 * @since 0.1.0
 */
export type Looking =
  | { readonly readOnly: true; readonly reads: ReadonlyArray<Word> }
  | { readonly readOnly: false; readonly why: string }

/**
 * Judges one command by its program, flags and operands. Redirections,
 * substitutions and the commands that it carries are judged by whoever calls.
 *
 * **Gotchas**
 *
 * A program named by a path is never read-only, since it may be any program.
 *
 * @category analysis
 * @since 0.1.0
 */
export const isReadOnly = (command: SimpleCommand): Looking => {
  const unsafe = command.assignments.find(({ name }) => !isSafeVariable(name))
  if (unsafe !== undefined) return no(`setting ${shown(unsafe.name)} may change what runs`)
  const [first, ...rest] = command.words
  if (first === undefined) return { readOnly: true, reads: [] }
  if (first.value === undefined) return no("which program runs is only known when it runs")
  if (isProbe(first.value, rest)) return { readOnly: true, reads: [] }
  const program = Object.hasOwn(lookers, first.value) ? lookers[first.value] : undefined
  if (program === undefined) return no(`${shown(first.value)} is not known to only look`)
  return judge(first.value, program, rest, false)
}

const judge = (name: string, program: Program, words: ReadonlyArray<Word>, nested: boolean): Looking => {
  if (program.never !== undefined) return no(`${shown(name)} ${program.never}`)
  const given = readArguments(program, words)
  const why = ofFlags(name, program, given) ?? ofUnclear(name, program, given, nested)
  if (why !== undefined) return no(why)
  if (program.follows !== undefined && hasFlag(given, program.follows)) {
    return no(`${shown(name)} would follow links, which may lead anywhere`)
  }
  if (program.subcommands !== undefined && given.operands.length > 0) {
    if (given.ended === 0) return no(`${shown(name)} with \`--\` takes what follows for no subcommand`)
    return ofSubcommand(name, program.subcommands, given.operands)
  }
  if (given.operands.length > 0 && operandsOf(program) === "none") {
    return no(`${shown(name)} with arguments may change something`)
  }
  const more = program.check?.(given)
  if (more !== undefined) return no(`${shown(name)} ${more}`)
  const reads = filesIn(program, given)
  return { readOnly: true, reads: reads.map((file) => file.word) }
}

const no = (why: string): Looking => ({ readOnly: false, why })

const operandsOf = (program: Program) => program.style === "anything" ? "text" : program.operands ?? "none"

const ofFlags = (name: string, program: Program, given: Arguments): string | undefined => {
  for (const option of given.options) {
    if (option.flag === undefined) return `${shown(`${name} ${option.name}`)} is not a flag known to only look`
    const danger = option.flag.danger ?? hidden(program, option)
    if (danger !== undefined) return `${shown(`${name} ${option.name}`)} ${danger}`
  }
  return undefined
}

// INVARIANT: a dangerous flag counts even where it stands as the value of another flag, since builds of one program
// disagree on which flags take values.
const hidden = (program: Program, option: Option): string | undefined => {
  for (const word of option.taken) {
    if (!word.known[0].startsWith("-")) continue
    const inner = readArguments(program, [word]).options
    const danger = inner.find((one) => one.flag?.danger !== undefined)
    if (danger !== undefined) return `takes ${shown(danger.name)} for its value`
    const flagged = program.style === "whole" ? /^--/ : /^-(?!\d)/
    const strange = inner.find((one) => one.flag === undefined && flagged.test(word.known[0]))
    if (strange !== undefined && !isPattern(program, option)) return `takes ${shown(word.source)} for its value`
  }
  return undefined
}

const isPattern = ({ patternFlags }: Program, { name }: Option): boolean =>
  patternFlags?.split(" ").includes(name) === true

// A subcommand may take the dangerous flags of its program, so that it never takes an unclear word.
const ofUnclear = (name: string, program: Program, given: Arguments, nested: boolean): string | undefined => {
  const operands = operandsOf(program)
  const harmless = !nested && program.dangers === undefined && program.check === undefined &&
    program.subcommands === undefined &&
    operands !== "none" && (operands !== "text" || !(program.flags ?? "").includes("<"))
  const [first] = given.unclear
  return first === undefined || harmless ? undefined : `${shown(first.source)} may become a flag of ${shown(name)}`
}

const ofSubcommand = (
  name: string,
  subcommands: Readonly<Record<string, Program>>,
  operands: ReadonlyArray<Word>
): Looking => {
  const [first, ...rest] = operands
  const key = first?.value
  if (key === undefined || operands.slice(0, 1).some(mayBecomeMany)) {
    return no(`which part of ${shown(name)} runs is only known when it runs`)
  }
  const program = Object.hasOwn(subcommands, key) ? subcommands[key] : undefined
  if (program === undefined) return no(`${shown(`${name} ${key}`)} is not known to only look`)
  return judge(`${name} ${key}`, program, rest, true)
}
