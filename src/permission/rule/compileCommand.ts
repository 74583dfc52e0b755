/**
 * Makes a command pattern ready to be held against many commands.
 *
 * @since 0.1.0
 */
import type { Specifier, Wildcard } from "../../domain/Rule.ts"
import { inWordBlank } from "./commandTexts.ts"

/**
 * A command pattern made ready.
 *
 * **Details**
 *
 * `written` is its text with blanks between words made single. `seen` is what
 * the shell would see of it once quotes are gone, undefined where only running
 * it would tell. `special` says that the two differ.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompiledCommand {
  readonly written: Wildcard
  readonly seen: Wildcard | undefined
  readonly special: boolean
  readonly boundary: boolean
}

/**
 * Makes a command pattern ready, once for each pattern.
 *
 * @category constructors
 * @since 0.1.0
 */
export const compileCommand = (pattern: Extract<Specifier, { readonly _tag: "Command" }>): CompiledCommand => {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  const compiled = make(pattern.pieces, pattern.boundary)
  cache.set(pattern, compiled)
  return compiled
}

/**
 * Returns the program that every command which matches begins with, up to its
 * first blank; undefined where the pattern begins with a gap or with quotes.
 * Whoever keeps many rules finds the few that may match by it.
 *
 * @category getters
 * @since 0.1.0
 */
export const programOf = (
  { boundary, pieces }: Extract<Specifier, { readonly _tag: "Command" }>
): string | undefined => {
  const start = (pieces[0] ?? "").replace(/^[ \t]+/, "")
  const end = start.search(/[ \t]/)
  const program = end < 0 ? start : start.slice(0, end)
  const wordsFollow = end >= 0 && (pieces.length > 1 || /[^ \t]/.test(start.slice(end)))
  const ends = wordsFollow || pieces.length === 1 && (boundary || !program.includes("\n"))
  return ends && program.length > 0 && !/["'\\$`*?[\uFDD0-\uFDD3]/.test(program) ? program : undefined
}

const cache = new WeakMap<object, CompiledCommand>()

// Between the pieces of a pattern stands a gap; the scanner walks over them as
// one text, with a character for the gap that no pattern holds.
const gap = "\uFDD3"

const make = (pieces: Wildcard, boundary: boolean): CompiledCommand => {
  const text = pieces.map((piece) => piece.replace(/[\uFDD0-\uFDD3]/g, "\uFFFD")).join(gap)
  const special = /["'\\$`*?[]/.test(text)
  if (!special) {
    const written = text.replace(/[ \t]+/g, " ").replace(/^ | $/g, "").split(gap)
    return { written, seen: written, special, boundary }
  }
  const scanned = scan(text)
  return { written: scanned.written.split(gap), seen: scanned.seen?.split(gap), special, boundary }
}

const scan = (text: string): { readonly written: string; readonly seen: string | undefined } => {
  let written = ""
  let seen = ""
  let certain = true
  let blank = false
  let quote: "'" | "\"" | undefined
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ""
    if (quote === undefined && (character === " " || character === "\t")) {
      blank = written.length > 0
      continue
    }
    if (quote === undefined && character === "\\" && text[index + 1] === "\n") {
      index++
      continue
    }
    if (blank) {
      written += " "
      seen += " "
      blank = false
    }
    written += character
    if (quote === undefined && (character === "'" || character === "\"")) {
      quote = character
    } else if (character === quote) {
      quote = undefined
    } else if (character === "\\" && quote !== "'") {
      const next = text[++index]
      if (next === undefined) {
        certain = false
      } else {
        written += next
        if (quote === undefined) seen += next === " " ? inWordBlank : next
        else if (next !== "\n") seen += /["\\$`]/.test(next) ? next : `\\${next}`
      }
    } else if ((character === "$" || character === "`") && quote !== "'") {
      certain = false
    } else {
      seen += quote !== undefined && character === " " ? inWordBlank : character
    }
  }
  return { written, seen: certain && quote === undefined ? seen : undefined }
}
