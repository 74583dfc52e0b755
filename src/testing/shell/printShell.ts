/**
 * Prints a syntax tree as the line that bash reads.
 *
 * @since 0.1.0
 */
import { printWord } from "./printWord.ts"
import type { Shell, Simple } from "./Shell.ts"

/**
 * Prints a line. `gap` is what stands between two words, one blank when left
 * out.
 *
 * **Details**
 *
 * Whatever the tree, the text can be joined with another one by any operator:
 * a here-document ends inside of braces.
 *
 * @category converting
 * @since 0.1.0
 */
export const printShell = (shell: Shell, gap = " "): string => print(shell, gap, 0)

const print = (shell: Shell, gap: string, depth: number): string => {
  switch (shell._tag) {
    case "Simple":
      return simple(shell, gap)
    case "List": {
      const [first, second] = [print(shell.first, gap, depth), print(shell.second, gap, depth)]
      return shell.operator === "\n" ? `${first}\n${second}` : `${first}${gap}${shell.operator}${gap}${second}`
    }
    case "Group":
      return group(shell.kind, print(shell.body, gap, depth), gap)
    case "Substitution":
      return substitution(shell.kind, print(shell.body, gap, depth + 1), gap, depth)
    case "Wrapped":
      return `${shell.wrapper.replaceAll(" ", gap)}${gap}${simple(shell.body, gap)}`
    case "Script":
      return script(shell.interpreter, print(shell.body, gap, depth + 1), gap, depth)
  }
}

const simple = ({ assignments, program, redirects, words }: Simple, gap: string): string =>
  [
    ...assignments.map(({ name, value }) => `${name}=${printWord(value)}`),
    printWord(program),
    ...words.map(printWord),
    ...redirects.map(({ operator, target }) => `${operator}${gap}${printWord(target)}`)
  ].join(gap)

const group = (kind: Extract<Shell, { readonly _tag: "Group" }>["kind"], body: string, gap: string): string => {
  switch (kind) {
    case "braces":
      return `{${gap}${body}\n}`
    case "subshell":
      return `(${gap}${body}${gap})`
    case "if":
      return `if${gap}true;${gap}then${gap}${body}\nfi`
    case "for":
      return `for${gap}i${gap}in${gap}1${gap}2;${gap}do${gap}${body}\ndone`
    case "case":
      return `case${gap}x${gap}in${gap}*)${gap}${body}\n;;${gap}esac`
    case "function":
      return `f()${gap}{${gap}${body}\n};${gap}f`
    case "while":
      return `while${gap}${body}\ndo${gap}true;${gap}done`
  }
}

const substitution = (
  kind: Extract<Shell, { readonly _tag: "Substitution" }>["kind"],
  body: string,
  gap: string,
  depth: number
): string => {
  switch (kind) {
    case "dollar":
      return `echo${gap}$(${gap}${body}${gap})`
    case "quoted":
      return `echo${gap}"x $(${gap}${body}${gap})"`
    case "backtick":
      return /[`\\$"]/.test(body) ? `echo${gap}$(${gap}${body}${gap})` : `echo${gap}\`${body}\``
    case "process":
      return `cat${gap}<(${gap}${body}${gap})`
    case "here-document":
      return `{${gap}cat${gap}<<T${depth}\n$(${gap}${body}${gap})\nT${depth}\n}`
  }
}

const script = (
  interpreter: Extract<Shell, { readonly _tag: "Script" }>["interpreter"],
  body: string,
  gap: string,
  depth: number
): string =>
  interpreter === "here-document"
    ? `{${gap}bash${gap}<<'T${depth}'\n${body}\nT${depth}\n}`
    : `${interpreter.replaceAll(" ", gap)}${gap}${printWord({ text: body, quoting: "single" })}`
