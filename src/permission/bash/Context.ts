/**
 * What the readers of carriers work with: how to read the commands that a
 * command would start.
 *
 * @since 0.1.0
 */
import type { Carrier, SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { type Input, type Line, makeLine, refuse, type Started } from "./Line.ts"
import { computesLoosely } from "./numbers.ts"
import type { Place } from "./Place.ts"
import type { Replaced } from "./replaced.ts"
import { anyWords } from "./WordDraft.ts"

/**
 * The means to read further. `generous`: where the inner command isn't
 * certain, each word from there on is tried as its beginning. `rehomed` and `reglobbed`: home
 * directories and wildcards are not what they are where the line begins;
 * `replaced`: what it has put elsewhere by then.
 *
 * @category models
 * @since 0.1.0
 */
export interface Context {
  readonly line: Line
  readonly depth: number
  readonly generous: boolean
  readonly rehomed?: boolean
  readonly reglobbed?: boolean
  readonly replaced?: Replaced | undefined
  readonly command: (started: Started, context: Context) => SimpleCommand
  readonly text: (text: string, place: Place, input: Input, context: Context) => ReadonlyArray<SimpleCommand>
}

/**
 * What a command carries.
 *
 * @category models
 * @since 0.1.0
 */
export interface Carried {
  readonly carrier: Carrier | undefined
  readonly inner: ReadonlyArray<SimpleCommand>
  readonly transparent: boolean
  readonly exactOnly: boolean
}

/**
 * Reads what one kind of program carries; undefined when it starts nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type Reader = (started: Started, context: Context) => Carried | undefined

/**
 * Returns the command that begins at a word, or nothing when no word is left.
 *
 * @category reading
 * @since 0.1.0
 */
export const startsAt = (started: Started, at: number, context: Context): ReadonlyArray<SimpleCommand> =>
  at >= started.words.length ? [] : [context.command({ ...started, words: started.words.slice(at) }, deeper(context))]

const mostSuffixes = 64

/**
 * Returns a command for each word from `from` on that could be a program,
 * where it isn't certain which one is.
 *
 * @category reading
 * @since 0.1.0
 */
export const startsAnywhere = (started: Started, from: number, context: Context): ReadonlyArray<SimpleCommand> => {
  if (!context.generous) return [unknownCommand(started, context)]
  const plain = deeper({ ...context, generous: false })
  const found: Array<SimpleCommand> = []
  for (let at = from; at < started.words.length; at++) {
    if (started.words[at]?.known[0].startsWith("-") === true) continue
    context.line.budget -= started.words.length - at
    if (found.length >= mostSuffixes || context.line.budget < 0) return [...found, unknownCommand(started, context)]
    found.push(context.command({ ...started, words: started.words.slice(at) }, plain))
  }
  return found
}

/**
 * Returns a command that may be any.
 *
 * @category reading
 * @since 0.1.0
 */
export const unknownCommand = (started: Started, context: Context): SimpleCommand =>
  context.command({ ...started, words: [anyWords("")], assignments: [] }, { ...deeper(context), generous: false })

/**
 * Returns the text that a shell is given, or undefined where running tells.
 *
 * @category reading
 * @since 0.1.0
 */
export const textOf = (words: ReadonlyArray<Word>): string | undefined =>
  words.every((word) => word.value !== undefined) ? words.map((word) => word.value).join(" ") : undefined

/**
 * Reads words as a text that a shell is given. What only running tells stands
 * in it as an expansion, and makes the line refused.
 *
 * @category reading
 * @since 0.1.0
 */
export const readTextOf = (
  words: ReadonlyArray<Word>,
  started: Started,
  context: Context
): ReadonlyArray<SimpleCommand> => {
  const text = textOf(words)
  if (text !== undefined) return context.text(text, started.place, started.input, deeper(context))
  refuse(context.line, "a command text that only running the line tells")
  const likely = words.map((word) => word.known.join("${_}")).join(" ")
  return [...context.text(likely, started.place, started.input, deeper(context)), unknownCommand(started, context)]
}

/**
 * Reads what another program runs, on another machine, in a container, or
 * with arguments that it finds: that it isn't understood refuses nothing, it
 * only may be any command.
 *
 * @category reading
 * @since 0.1.0
 */
export const elsewhere = (
  started: Started,
  context: Context,
  read: (context: Context) => ReadonlyArray<SimpleCommand>
): ReadonlyArray<SimpleCommand> => {
  const line: Line = { ...makeLine(""), budget: context.line.budget }
  const found = read({ ...context, line })
  context.line.budget = line.budget
  const { evaluates, quotedCode } = line
  const understood = line.refused === undefined && !(evaluates && (quotedCode || computesLoosely({ line })))
  return understood ? found : [...found, unknownCommand(started, context)]
}

const deeper = (context: Context): Context => ({ ...context, depth: context.depth + 1 })
