/**
 * Reads what a program of the table of carriers starts.
 *
 * @since 0.1.0
 */
import type { Assignment, Word } from "../../domain/ShellCommand.ts"
import type { CarrierSpec } from "./carriers.ts"
import {
  type Carried,
  type Context,
  elsewhere,
  readTextOf,
  startsAnywhere,
  startsAt,
  unknownCommand
} from "./Context.ts"
import { noInput, refuse, type Started } from "./Line.ts"
import { laterTexts, passOptions } from "./Options.ts"
import { anywhere } from "./Place.ts"
import { anyWords, gap, type Piece, wordOf } from "./WordDraft.ts"

/**
 * Reads a carrier whose own words begin at `from` (after the subcommand, where
 * there is one).
 *
 * @category reading
 * @since 0.1.0
 */
export const readWrapper = (
  started: Started,
  from: number,
  spec: CarrierSpec,
  context: Context
): Carried | undefined => {
  const { words } = started
  const options = passOptions(words, from, spec)
  const assigned = spec.assignments === true ? passAssignments(words, options.at) : nothingAssigned(options.at)
  const optional = spec.optionalOperand?.test(words[assigned.at]?.value ?? "") === true ? 1 : 0
  const operands = (spec.operands ?? 0) + optional
  const passed = words.slice(assigned.at, assigned.at + operands)
  let at = assigned.at + operands
  let certain = options.certain && assigned.certain && !passed.some((word) => word.splits)
  const texts = [...options.texts, ...(spec.delegate === true ? laterTexts(words, options.at, spec) : [])]
  if (operands > 0 && certain && words[at]?.known[0].startsWith("-") === true) {
    const more = passOptions(words, at, spec)
    texts.push(...more.texts)
    at = more.at
    certain = more.certain
  }
  const away = spec.displaces === true ||
    words.slice(from, options.at).some(({ known }) =>
      displacing.test(known[0]) || (spec.shell === true && loggingIn.test(known[0]))
    )
  const place = away ? anywhere : started.place
  const within: Started = {
    ...started,
    place,
    words: spec.appends === true ? appended(words) : words,
    assignments: assigned.assignments.length === 0
      ? started.assignments
      : [...started.assignments, ...assigned.assignments],
    input: spec.appends === true ? noInput : started.input
  }
  const exactOnly = spec.exactOnly ?? false
  const read = (inside: Context) => [
    ...texts.flatMap((text) => readTextOf([text], within, inside)),
    ...(at >= words.length && certain ? [] : begin(within, certain ? at : options.at, certain, spec, inside))
  ]
  const fed = spec.shell === true && at >= words.length && certain && texts.length === 0
  if (fed && started.input.kind !== "none") return readFed(started, context)
  const inner = spec.delegate === true || spec.appends === true ? elsewhere(started, context, read) : read(context)
  if (inner.length === 0) return exactOnly ? { carrier: undefined, inner, transparent: false, exactOnly } : undefined
  const [only] = inner
  const bare = spec.appends !== true || at === from
  return {
    carrier: spec.delegate === true || spec.appends === true ? "delegate" : "wrapper",
    inner,
    transparent: spec.transparent === true && certain && bare && inner.length === 1 && texts.length === 0,
    // What `xargs` hands to a shell or to another carrier is not covered by a rule for `xargs`.
    exactOnly: exactOnly || (spec.appends === true && only?.carrier !== undefined)
  }
}

// Options by which carriers start the command in another directory.
const displacing = /^(?:-[CD]|--(?:chdir|working-directory|wd|root|cwd|cd|directory)(?:=|$))/

// A login begins in the home directory.
const loggingIn = /^-$|^-\w*[il]|^--login$/

// Without a command it is a shell that reads its standard input.
const readFed = (started: Started, context: Context): Carried => {
  const { input } = started
  if (input.kind !== "text") refuse(context.line, "a command text that only running the line tells")
  const inner = input.kind === "text"
    ? context.text(input.text, started.place, input, { ...context, depth: context.depth + 1 })
    : [unknownCommand(started, context)]
  return { carrier: "interpreter", inner, transparent: false, exactOnly: false }
}

const begin = (started: Started, at: number, certain: boolean, spec: CarrierSpec, context: Context) => {
  if (!certain) return startsAnywhere(started, at, context)
  if (spec.text !== true) return startsAt(started, at, context)
  const rest = started.words.slice(at)
  // Several texts may stand side by side, each for a shell of its own.
  const apart = rest.length > 1 ? rest.filter((word) => word.value?.includes(" ") === true) : []
  return [
    ...readTextOf(rest, started, context),
    ...apart.flatMap((word) => readTextOf([word], started, context))
  ]
}

interface Assigned {
  readonly at: number
  readonly certain: boolean
  readonly assignments: ReadonlyArray<Assignment>
}

const nothingAssigned = (at: number): Assigned => ({ at, certain: true, assignments: [] })

const passAssignments = (words: ReadonlyArray<Word>, from: number): Assigned => {
  const assignments: Array<Assignment> = []
  let at = from
  for (; at < words.length; at++) {
    const word = words[at]
    const name = word === undefined || word.splits ? null : /^[^=]*(?==)/.exec(word.known[0])
    if (word === undefined || name === null) break
    const skip = name[0].length + 1
    const [first, ...rest] = word.known
    const known: Word["known"] = [first.slice(skip), ...rest]
    assignments.push({
      name: name[0],
      value: { ...word, source: word.source.slice(word.source.indexOf("=") + 1), known, value: word.value?.slice(skip) }
    })
  }
  // What only running tells may be one more assignment.
  return { at, certain: words[at] === undefined || words[at]?.value !== undefined, assignments }
}

const replaced = /\{(?:\d*|[.#%/]+|\/[./]+)\}/

// `{}` stands for an argument that only running tells, and without it the arguments come last.
const appended = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const end = words.findIndex((word) => word.value !== undefined && /^:::[:+]?\+?$/.test(word.value))
  const named = words.map((word, index) => {
    const before = words[index - 1]?.value
    return before === "-I" || before === "-J" ? word.value : /^-[Ii](.+)$/.exec(word.value ?? "")?.[1]
  }).find((value) => value !== undefined)
  return [
    ...(end < 0 ? words : words.slice(0, end)).map((word) => {
      if (word.value === undefined) return word
      const parts = named !== undefined && named !== "" ? word.value.split(named) : word.value.split(replaced)
      if (parts.length < 2) return word
      return wordOf(
        word.source,
        parts.flatMap((text, index): ReadonlyArray<Piece> =>
          index === 0 ? [{ text, bare: false }] : [gap, { text, bare: false }]
        ),
        false
      )
    }),
    anyWords("")
  ]
}
