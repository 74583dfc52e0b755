/**
 * Shell lines as syntax trees, small enough to draw and to shrink.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for the ways in which a word can be quoted. One that does not suit the
 * word's text is printed in another.
 *
 * @category models
 * @since 0.1.0
 */
export const Quoting = Schema.Literals(["bare", "single", "double", "escaped", "ansi"])

/**
 * @category models
 * @since 0.1.0
 */
export type Quoting = typeof Quoting.Type

/**
 * A word: the text that the program gets, and how it is written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Word {
  readonly text: string
  readonly quoting: Quoting
}

/**
 * A file that a command opens before it starts.
 *
 * @category models
 * @since 0.1.0
 */
export interface Redirect {
  readonly operator: ">" | ">>" | "<" | "2>"
  readonly target: Word
}

/**
 * One program with its words.
 *
 * @category models
 * @since 0.1.0
 */
export interface Simple {
  readonly _tag: "Simple"
  readonly assignments: ReadonlyArray<{ readonly name: string; readonly value: Word }>
  readonly program: Word
  readonly words: ReadonlyArray<Word>
  readonly redirects: ReadonlyArray<Redirect>
}

/**
 * Programs that start another one.
 *
 * @category models
 * @since 0.1.0
 */
export const Wrapper = Schema.Literals([
  "timeout 5",
  "nohup",
  "nice",
  "env",
  "env A=1",
  "sudo",
  "command",
  "stdbuf -oL",
  "setsid",
  "xargs",
  "time"
])

/**
 * Ways to hand a whole line to another shell.
 *
 * @category models
 * @since 0.1.0
 */
export const Interpreter = Schema.Literals(["bash -c", "sh -c", "eval", "here-document"])

/**
 * A line.
 *
 * **Details**
 *
 * - `List`: one line after the other, however they are joined.
 * - `Group`: in braces, in a subshell, in a condition, in a loop, or in a
 *   function that is called at once.
 * - `Substitution`: as part of a word of another command, as a process
 *   substitution, or in the text of a here-document.
 * - `Wrapped`: started by another program. `Script`: as text, by another shell.
 *
 * @category models
 * @since 0.1.0
 */
export type Shell =
  | Simple
  | {
    readonly _tag: "List"
    readonly operator: "&&" | "||" | ";" | "|" | "&" | "\n"
    readonly first: Shell
    readonly second: Shell
  }
  | {
    readonly _tag: "Group"
    readonly kind: "braces" | "subshell" | "if" | "for" | "while" | "case" | "function"
    readonly body: Shell
  }
  | {
    readonly _tag: "Substitution"
    readonly kind: "dollar" | "quoted" | "backtick" | "process" | "here-document"
    readonly body: Shell
  }
  | { readonly _tag: "Wrapped"; readonly wrapper: typeof Wrapper.Type; readonly body: Simple }
  | { readonly _tag: "Script"; readonly interpreter: typeof Interpreter.Type; readonly body: Shell }

/**
 * Returns every command of a line that is about to start another program or
 * open a file, in reading order.
 *
 * @category getters
 * @since 0.1.0
 */
export const simpleCommands = (shell: Shell): ReadonlyArray<Simple> => {
  switch (shell._tag) {
    case "Simple":
      return [shell]
    case "List":
      return [...simpleCommands(shell.first), ...simpleCommands(shell.second)]
    default:
      return simpleCommands(shell.body)
  }
}

/**
 * Returns the text of a command's words, as a rule would spell it.
 *
 * @category getters
 * @since 0.1.0
 */
export const spelled = ({ program, words }: Simple): string => [program, ...words].map(({ text }) => text).join(" ")
