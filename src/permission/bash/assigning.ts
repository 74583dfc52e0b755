/**
 * Finds the variables that a line assigns where no `NAME=value` stands: in
 * loops, expansions, arithmetic, redirections and builtins.
 *
 * @since 0.1.0
 */
import type { ArithmeticExpression, Word as Node } from "unbash"
import type { Word } from "../../domain/ShellCommand.ts"
import type { Frame } from "./Line.ts"
import { isPlainVariable, isSafeVariable } from "./safeVariables.ts"
import { gap, wordOf } from "./WordDraft.ts"

/**
 * Notes that a variable is assigned, unless nothing looks at a variable of
 * that name. What is no name at all may be any name.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteAssigned = (frame: Frame, name: string, source: string, value?: Word): void => {
  if (!isPlainVariable(name) && !isSafeVariable(name)) frame.assign(name, source, value ?? wordOf(source, [gap], false))
}

/**
 * Notes what an arithmetic expression assigns at its top.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteArithmetic = (frame: Frame, target: ArithmeticExpression, operator: string): void => {
  if (!assigns.test(operator)) return
  const source = frame.source.slice(target.pos, target.end)
  if (target.type !== "ArithmeticWord") noteAssigned(frame, source, source)
  else if (target.parts === undefined) noteAssigned(frame, nameIn(target.value), source)
  else noteAssigned(frame, target.value, source)
}

/**
 * Notes what a text assigns should it be evaluated as arithmetic. Quotes
 * protect nothing there.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteAssignedIn = (frame: Frame, text: string): void => {
  if (!/=|\+\+|--/.test(text)) return
  const bare = text.replace(/['"\\]/g, "")
  for (const { 0: operator, index } of bare.matchAll(operators)) {
    const before = nameBefore(bare, index)
    if (before !== undefined) noteAssigned(frame, before, text)
    else if (operator.endsWith("=")) noteAssigned(frame, operator, text)
    const after = operator.endsWith("=")
      ? undefined
      : /^\s*([$`]|[A-Za-z_]\w*)/.exec(bare.slice(index + 2, index + 200))
    if (after?.[1] !== undefined) noteAssigned(frame, after[1], text)
  }
}

/**
 * Notes the name of a variable that a builtin is given as a word.
 *
 * @category noting
 * @since 0.1.0
 */
export const noteNamed = (frame: Frame, word: Word): void => {
  const [text] = word.known
  const end = text.search(/[[=]|\+=/)
  if (end < 0 && word.value === undefined) return noteAssigned(frame, word.source, word.source)
  const name = end < 0 ? text : text.slice(0, end)
  // The builtins complain about what is no name.
  if (!/^[A-Za-z_]\w*$/.test(name)) return
  const equals = text.indexOf("=")
  noteAssigned(frame, name, word.source, equals < 0 ? undefined : valueFrom(word, equals))
}

/**
 * Returns what a word of the syntax tree surely is once its quotes are gone.
 *
 * @category reading
 * @since 0.1.0
 */
export const literal = (node: Node): Word | undefined => {
  const certain = node.parts?.every((part) =>
    part.type === "Literal" || part.type === "SingleQuoted" ||
    (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal"))
  ) ?? true
  return certain ? wordOf(node.text, [{ text: node.value, bare: false }], false) : undefined
}

const assigns = /^(?:(?:<<|>>|[-+*/%&^|])?=|\+\+|--)$/

const operators = /(?:<<|>>|[-+*/%&^|]|(?<![<>=!]))=(?!=)|\+\+|--/g

const nameIn = (text: string): string => /^\s*([A-Za-z_]\w*)\s*(?:\[[\s\S]*\])?\s*$/.exec(text)?.[1] ?? text

// The name on the left of an operator, with the sign before it that makes it another one, or nothing without a name.
const nameBefore = (text: string, from: number): string | undefined => {
  const end = beforeSubscript(text, backOver(text, from, blank))
  let begin = backOver(text, end, letter)
  if (begin === end && /[)}`$]/.test(text.charAt(end - 1))) return text.charAt(end - 1)
  if (/[})`$]/.test(text.charAt(begin - 1))) begin--
  const name = text.slice(begin, end)
  return name === "" || /^\d+$/.test(name) ? undefined : name
}

const blank = /\s/
const letter = /\w/

const backOver = (text: string, from: number, kind: RegExp): number => {
  let at = from
  while (at > 0 && kind.test(text.charAt(at - 1))) at--
  return at
}

const beforeSubscript = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at > Math.max(0, from - longestSubscript); at--) {
    const unit = text.charAt(at - 1)
    if (unit === "]") depth++
    else if (unit === "[") depth--
    if (depth === 0) return unit === "[" ? backOver(text, at - 1, blank) : from
  }
  return from
}

const longestSubscript = 200

const valueFrom = ({ known: [first, ...rest], source }: Word, equals: number): Word =>
  wordOf(
    source,
    [
      { text: first.slice(equals + 1), bare: false },
      ...rest.flatMap((known) => [gap, { text: known, bare: false }])
    ],
    false
  )
