/**
 * Reads text with gaps whose last gap may also stand for nothing at all.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import { readPieces, runBefore } from "./pieces.ts"

/**
 * Reads a text with gaps. `boundary` says that it ended in ` *`, or in `:*`
 * where colons count: what comes before may end there or go on after a blank.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readBoundary = (
  content: string,
  colons: "colon" | "no colon"
): { readonly pieces: Wildcard; readonly boundary: boolean } => {
  let text = content
  let boundary = false
  for (let body = bodyOf(text, colons); body !== undefined; body = bodyOf(text, colons)) {
    text = body
    boundary = gapAtEnd(body) === body.length
  }
  return { pieces: readPieces(text), boundary }
}

/**
 * Says whether a text with gaps matches every text.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isAnything = (pieces: Wildcard, boundary: boolean): boolean =>
  pieces.every((piece) => piece.length === 0) && (boundary || pieces.length > 1)

const bodyOf = (text: string, colons: "colon" | "no colon"): string | undefined => {
  const gap = gapAtEnd(text)
  if (gap === text.length) return undefined
  if (colons === "colon" && text.charCodeAt(gap - 1) === 58) return withoutBlanks(text, gap - 1)
  const body = withoutBlanks(text, gap)
  return body.length < gap ? body : undefined
}

// Where the gap at the end begins; the end itself when there is none.
const gapAtEnd = (text: string): number => {
  const start = text.length - runBefore(text, text.length, 42)
  const escaped = start < text.length && runBefore(text, start, 92) % 2 === 1
  return escaped ? start + 1 : start
}

const withoutBlanks = (text: string, end: number): string => {
  let last = end
  while (last > 0 && (text[last - 1] === " " || text[last - 1] === "\t")) last--
  return text.slice(0, last)
}
