/**
 * Reads JSON that somebody typed or piped, and says where it goes wrong without
 * showing any of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Misused } from "./Ended.ts"

/**
 * Parses JSON, or names the line, the column and what is wrong there.
 *
 * **Details**
 *
 * A text nested deeper than 500 levels is refused: nobody means that, and what
 * handles the value would run out of stack.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseJson = Effect.fnUntraced(function*(
  text: string,
  name: string
): Effect.fn.Return<unknown, Misused> {
  if (text.trim() === "") return yield* new Misused({ problem: `${name} is empty, JSON is expected` })
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text),
    catch: () => undefined
  }).pipe(Effect.catch(() => Effect.flatMap(fault(text), (problem) => new Misused({ problem: `${name} ${problem}` }))))
  return deeperThan(value, 500)
    ? yield* new Misused({ problem: `${name} is nested deeper than 500 levels, give it flatter` })
    : value
})

// The parser of the settings knows where and why; the built-in one is faster and quotes the text in its message.
const fault = Effect.fnUntraced(function*(text: string) {
  const { printParseErrorCode, visit } = yield* Effect.promise(() => import("jsonc-parser"))
  const found: { current?: { readonly code: string; readonly line: number; readonly column: number } } = {}
  yield* Effect.ignore(Effect.try(() => {
    visit(text, {
      onError: (error, _offset, _length, line, column) => {
        found.current = { code: printParseErrorCode(error), line: line + 1, column: column + 1 }
        // One fault is enough, and a long text may have a million.
        throw new Error("found")
      }
    }, { disallowComments: true })
  }))
  if (found.current === undefined) return "is not JSON"
  const { code, column, line } = found.current
  return `is not JSON, line ${line}, column ${column}: ${words[code] ?? "that can't stand here"}${hint(text)}`
})

const hint = (text: string): string =>
  /^\s*\{\s*[A-Za-z_]/.test(text) ? "; put JSON in single quotes for the shell" : ""

const words: { readonly [code: string]: string } = {
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  EndOfFileExpected: "the text should have ended before",
  InvalidCharacter: "a control character has to be escaped",
  InvalidCommentToken: "comments are not allowed",
  InvalidEscapeCharacter: "no such escape exists",
  InvalidNumberFormat: "that is no number",
  InvalidSymbol: "a name or word without quotes can't stand here",
  InvalidUnicode: "that is no unicode escape",
  PropertyNameExpected: "a name in double quotes is missing",
  UnexpectedEndOfComment: "comments are not allowed",
  UnexpectedEndOfNumber: "a number ends too early",
  UnexpectedEndOfString: "a closing quote is missing",
  ValueExpected: "a value is missing"
}

const deeperThan = (value: unknown, limit: number): boolean => {
  let level: ReadonlyArray<object> = isObject(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= limit) return true
    level = level.flatMap((member) => Object.values(member).filter(isObject))
  }
  return false
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
