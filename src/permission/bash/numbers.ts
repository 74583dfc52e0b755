/**
 * Tells whether arithmetic works on nothing but numbers. The shell evaluates
 * what a variable holds once more, so that after `x=$(cat file)` the innocent
 * `$((x))` runs a command that the file names: `a[$(rm y)]`.
 *
 * @since 0.1.0
 */
import type { ParsedScript, Word, WordPart } from "unbash"
import { noteAssignedIn } from "./assigning.ts"
import type { Frame } from "./Line.ts"

/**
 * Notes that arithmetic evaluates a text, with the variables that it names and
 * those that it assigns.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteComputed = (frame: Frame, parts: ReadonlyArray<WordPart> | undefined, text: string): void => {
  noteAssignedIn(frame, parts === undefined ? text : parts.map((part) => part.text).join(""))
  if (parts === undefined) noteNames(frame, text)
  else noteParts(frame, parts)
}

const noteParts = (frame: Frame, parts: ReadonlyArray<WordPart>): void => {
  for (const part of parts) {
    if (part.type === "Literal") noteNames(frame, part.value)
    else if (part.type === "SingleQuoted" || part.type === "AnsiCQuoted") noteNames(frame, part.value)
    else if (part.type === "DoubleQuoted") noteParts(frame, part.parts)
    else if (part.type === "ParameterExpansion" && part.prefix !== "#" && part.operation === undefined) {
      noteName(frame, part.parameter)
    } else if (part.type === "SimpleExpansion") noteName(frame, part.text.slice(1))
    else if (!isNumericPart(part, frame)) noteUnknown(frame)
  }
}

/**
 * Notes that the value of a variable is taken for the name of another, which
 * may have a subscript.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteReferred = (frame: Frame, name: string): void => {
  if (name !== "#" && name !== "?") noteName(frame, name)
}

/**
 * Notes that a variable gets a value, unless that is surely a number.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteValue = (frame: Frame, name: string, value: Word | undefined): void => {
  if (value !== undefined && isNumeric(value, frame)) return
  noteLoose(frame, name)
}

/**
 * Notes that a variable may hold what is no number.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteLoose = (frame: Frame, name: string): void => {
  frame.line.loose ??= new Set()
  frame.line.loose.add(name)
}

/**
 * Says whether a line computes with what may be no number.
 *
 * @category reading
 * @since 0.1.0
 */
export const computesLoosely = ({ line }: Pick<Frame, "line">): boolean => {
  const { computed, counted, loose, redefined } = line
  return line.computesUnknown ||
    // A function of that name prints what it likes.
    (redefined !== undefined &&
      [...counters.keys()].some((name) => redefined.has(name) && counted?.has(name) === true)) ||
    (computed !== undefined && [...computed].some((name) => loose?.has(name) === true || filledByShell.has(name)))
}

/**
 * Variables that the shell itself fills with what it read or where it stands.
 *
 * @category tables
 * @since 0.1.0
 */
export const filledByShell: ReadonlySet<string> = new Set([
  "REPLY",
  "MAPFILE",
  "OPTARG",
  "BASH_REMATCH",
  "PWD",
  "OLDPWD",
  "DIRSTACK",
  "_"
])

const noteNames = (frame: Frame, text: string): void => {
  if (/\$\{?[\d@*]/.test(text)) noteUnknown(frame)
  for (const [name] of text.matchAll(/\b[A-Za-z_]\w*/g)) noteComputedName(frame, name)
}

const noteUnknown = (frame: Frame): void => {
  frame.line.evaluates = true
  frame.line.computesUnknown = true
}

const noteComputedName = (frame: Frame, name: string): void => {
  frame.line.evaluates = true
  frame.line.computed ??= new Set()
  frame.line.computed.add(name)
}

// `$1` and its like come from whoever calls; `$#` and `$?` are numbers.
const noteName = (frame: Frame, name: string): void => {
  if (/^[A-Za-z_]/.test(name)) noteComputedName(frame, name)
  else if (!/^[#?$!]$/.test(name)) noteUnknown(frame)
}

const isNumeric = (word: Word, frame: Frame): boolean =>
  word.parts === undefined ? /^-?\d*$/.test(word.value) : word.parts.every((part) => isNumericPart(part, frame))

const isNumericPart = (part: WordPart, frame: Frame): boolean => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return /^[-\d\s]*$/.test(part.value)
    case "DoubleQuoted":
      return part.parts.every((child) => isNumericPart(child, frame))
    case "SimpleExpansion":
      return /^\$(?:[#?$!]|RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|SRANDOM|EPOCHSECONDS)$/.test(part.text)
    case "ParameterExpansion":
      return part.prefix === "#"
    case "ArithmeticExpansion":
      return true
    case "BraceExpansion":
      return /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(part.text)
    case "CommandExpansion":
      return part.script !== undefined && printsNumber(part.script, frame)
    default:
      return false
  }
}

const counters: ReadonlyMap<string, RegExp> = new Map([
  ["wc", /^(?: -[clmwL]+)*$/],
  ["nproc", /^(?: --all)?$/],
  ["date", /^ \+%[YmdHMSsNjuwy]+$/],
  ["id", /^ -[ugG]$/],
  ["seq", /^(?: -?\d+){1,3}$/],
  ["expr", /^(?: (?:\d+|[-+*/%]))+$/],
  ["grep", /^ -[a-zA-Z]*c[a-zA-Z]* [^-]\S*$/]
])

// The last command of a pipeline says what is printed; the few in the table print numbers and nothing else.
const printsNumber = (script: ParsedScript, frame: Frame): boolean => {
  const [statement, ...rest] = script.commands
  const command = statement?.command
  if (command === undefined || rest.length > 0) return false
  const last = command.type === "Pipeline" ? command.commands.at(-1) : command
  if (last?.type !== "Command" || last.name === undefined || last.prefix.length > 0) return false
  const words = last.args.map((argument) =>
    argument.type !== "Word" || argument.parts?.some((part) => part.type !== "SingleQuoted" && part.type !== "Literal")
      ? undefined
      : argument.value
  )
  const outputs = last.redirects.some((redirect) =>
    redirect.type === "Redirect" && redirect.operator !== "<" && redirect.descriptor === undefined
  )
  if (outputs || words.some((word) => word === undefined)) return false
  const counts = counters.get(last.name.value)?.test(words.map((word) => ` ${word}`).join("")) === true
  if (counts) {
    frame.line.counted ??= new Set()
    frame.line.counted.add(last.name.value)
    frame.line.evaluates = true
  }
  return counts
}
