/**
 * Settings text as a tree that knows where everything was written.
 *
 * @since 0.1.0
 */
import * as Json from "jsonc-parser"

/**
 * A node of the tree, with the part of the text that it stands for.
 *
 * @category models
 * @since 0.1.0
 */
export type Node = Json.Node

/**
 * A place in a text, both counted from 1.
 *
 * @category models
 * @since 0.1.0
 */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * What a text holds: a tree, nothing, or something that is no JSON.
 *
 * @category models
 * @since 0.1.0
 */
export type Document =
  | { readonly _tag: "Tree"; readonly root: Node; readonly position: (offset: number) => Position }
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Broken"; readonly position: Position; readonly reason: string }

/**
 * Reads JSON with comments, trailing commas and a byte-order mark. Never throws.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseDocument = (text: string): Document => {
  // A mark of the byte order is blanked, not cut, so that offsets stay those of the file.
  const source = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text
  const position = positions(source)
  const tooDeep = offsetOfDepth(source, maxDepth)
  if (tooDeep !== undefined) {
    return { _tag: "Broken", position: position(tooDeep), reason: `nests more than ${maxDepth} levels deep` }
  }
  const errors: Array<Json.ParseError> = []
  const root = Json.parseTree(source, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const error = errors[0]
  if (error !== undefined) {
    return { _tag: "Broken", position: position(error.offset), reason: reasonOf(error, source) }
  }
  return root === undefined ? { _tag: "Empty" } : { _tag: "Tree", root, position }
}

const maxDepth = 200

const positions = (text: string): (offset: number) => Position => {
  let starts: ReadonlyArray<number> | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  return starts
}

// The parser recurses: a text that is all brackets would overflow its stack.
const offsetOfDepth = (text: string, limit: number): number | undefined => {
  if (!hasMoreBrackets(text, limit)) return undefined
  const scanner = Json.createScanner(text, true)
  let depth = 0
  for (let token = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) depth++
    if (token === closeBrace || token === closeBracket) depth--
    if (depth > limit) return scanner.getTokenOffset()
  }
  return undefined
}

const hasMoreBrackets = (text: string, limit: number): boolean => {
  let count = 0
  for (const character of text) {
    if ((character === "{" || character === "[") && ++count > limit) return true
  }
  return false
}

// The library's enum is a `const enum`, which can't be imported module by module.
const openBrace = 1
const closeBrace = 2
const openBracket = 3
const closeBracket = 4
const endOfFile = 17

const reasonOf = (error: Json.ParseError, text: string): string => {
  const code = Json.printParseErrorCode(error.error)
  const rest = text.slice(error.offset)
  if (/^\{\{|^<%|^\{%|^\$\{/.test(text[error.offset - 1] === "{" ? `{${rest}` : rest)) {
    return "is a template that was not filled in"
  }
  if (/^(<{7}|={7}|>{7})/.test(rest)) return "holds the marks of a merge conflict"
  const found = /^\S{1,20}/.exec(rest)?.[0]
  const at = found === undefined ? "" : ` before \`${found}\``
  return `is no JSON: ${explanations[code] ?? "something is wrong"}${at}`
}

const explanations: { readonly [code: string]: string } = {
  InvalidSymbol: "a text without quotes",
  InvalidNumberFormat: "a number that can't be read",
  PropertyNameExpected: "a name in quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "the file should have ended",
  InvalidCommentToken: "a comment that can't be read",
  UnexpectedEndOfComment: "a comment does not end",
  UnexpectedEndOfString: "a text does not end on its line",
  UnexpectedEndOfNumber: "a number does not end",
  InvalidUnicode: "a `\\u` escape that can't be read",
  InvalidEscapeCharacter: "an escape that JSON does not have",
  InvalidCharacter: "a control character in a text"
}
