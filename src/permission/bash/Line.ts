/**
 * What the parts of the reader share while they read one line: where found
 * commands go, why the line is refused, and how much work is left.
 *
 * @since 0.1.0
 */
import type { ParsedScript } from "unbash"
import type { Assignment, SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import type { Place } from "./Place.ts"
import type { Replaced } from "./replaced.ts"

/**
 * What stands on a command's standard input: nothing of ours, a text that is
 * certain, or something that only running the line tells.
 *
 * @category models
 * @since 0.1.0
 */
export type Input =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unknown" }

/**
 * @category models
 * @since 0.1.0
 */
export const noInput: Input = { kind: "none" }

/**
 * @category models
 * @since 0.1.0
 */
export const unknownInput: Input = { kind: "unknown" }

/**
 * What is known about the whole line, its nested texts included.
 *
 * **Details**
 *
 * `misread` says that the parser may have overlooked something, so that the
 * text itself has to be searched for commands. `evaluates` and `quotedCode`
 * together mean that quoted data could run: something in the line evaluates
 * values as code, and some quoted text holds an expansion. `computed` are the
 * variables that arithmetic evaluates, `loose` those whose value may be no
 * number, and `computesUnknown` that something else is evaluated. `counted`
 * are the programs that are taken to print numbers, `redefined` the names that
 * are functions somewhere.
 *
 * @category models
 * @since 0.1.0
 */
export interface Line {
  refused: string | undefined
  misread: boolean
  evaluates: boolean
  quotedCode: boolean
  computesUnknown: boolean
  computed: Set<string> | undefined
  loose: Set<string> | undefined
  counted: Set<string> | undefined
  redefined: Set<string> | undefined
  budget: number
}

/**
 * Returns what is known of a line before it is read.
 *
 * @category making
 * @since 0.1.0
 */
export const makeLine = (source: string): Line => ({
  refused: undefined,
  misread: false,
  evaluates: false,
  quotedCode: false,
  computesUnknown: false,
  computed: undefined,
  loose: undefined,
  counted: undefined,
  redefined: undefined,
  budget: source.length * 8 + 20_000
})

/**
 * The functions of one shell process.
 *
 * **Details**
 *
 * `certain` are defined for sure where the reader stands, with whether calling
 * them may change the directory; `defined` are those that the process defines
 * anywhere; `bodies` are the ranges of commands that stand in a body, and
 * `calls` the commands that are known to be calls.
 *
 * @category models
 * @since 0.1.0
 */
export interface Functions {
  certain: ReadonlyMap<string, boolean>
  readonly defined: Set<string>
  readonly bodies: Array<readonly [start: number, end: number]>
  readonly calls: Set<SimpleCommand>
}

/**
 * One text that is read, with its place in the line.
 *
 * **Details**
 *
 * `source` is the text that the syntax tree's positions point into; `plain`
 * says that it holds none of the characters that the guards look for.
 * `literal` gathers the ranges in which a backslash before a newline is text.
 * `words` gathers where words and here-documents stand, outside of which a `#`
 * begins a comment; both only where lines are joined. `nested` reads the script of
 * a substitution, and `assign` notes as a command of its own that a variable is
 * assigned; they come along so that words need not know of commands.
 *
 * @category models
 * @since 0.1.0
 */
export interface Frame {
  readonly line: Line
  readonly shell: Shell
  readonly source: string
  readonly plain: boolean
  readonly depth: number
  readonly commands: Array<SimpleCommand>
  readonly literal: Array<readonly [start: number, end: number]> | undefined
  readonly words: Array<readonly [start: number, end: number]> | undefined
  readonly nested: (script: ParsedScript, frame: Frame, place: Place, input: Input) => void
  readonly assign: (name: string, source: string, value: Word) => void
}

/**
 * What belongs to one shell process: its functions, whether it ever changes
 * its directory, whether home directories and `cd` (`rehomes`) or wildcards
 * (`reglobs`) may mean something else than usual, whether it takes its own
 * standard input from elsewhere (`fed`), what it has put elsewhere by then, where its here-documents stand, and what the command read last has on its standard
 * input.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shell {
  functions: Functions | undefined
  moves: boolean
  rehomes: boolean
  reglobs: boolean
  fed: boolean
  replaced: Replaced | undefined
  readonly hereDocs: Array<readonly [start: number, body: number, end: number]>
  input: Input
}

/**
 * A command that another would start, as words.
 *
 * @category models
 * @since 0.1.0
 */
export interface Started {
  readonly words: ReadonlyArray<Word>
  readonly assignments: ReadonlyArray<Assignment>
  readonly place: Place
  readonly input: Input
}

/**
 * How deep commands may hold each other before the line counts as not
 * understood.
 *
 * @category models
 * @since 0.1.0
 */
export const deepest = 50

/**
 * Notes why the line is not understood; the first reason stays.
 *
 * @category refusing
 * @since 0.1.0
 */
export const refuse = (line: Line, reason: string): void => {
  line.refused ??= reason
}

/**
 * Notes that the parser and the shell may read the text differently.
 *
 * @category refusing
 * @since 0.1.0
 */
export const misread = (line: Line, reason: string): void => {
  line.refused ??= reason
  line.misread = true
}
