/**
 * Text with gaps, as rules write it: `*` is a gap, and a backslash makes `*`,
 * `(`, `)` and `\` mean themselves. Before any other character a backslash is
 * just a backslash.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"

/**
 * Reads text with gaps. Gaps in a row are one gap.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readPieces = (text: string): Wildcard => {
  const pieces: Array<string> = []
  let piece = ""
  let start = 0
  let afterGap = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (character === backslash && isSpecial(text.charCodeAt(index + 1))) {
      piece += text.slice(start, index)
      start = index + 1
      index++
      afterGap = false
    } else if (character === star) {
      if (!afterGap) pieces.push(piece + text.slice(start, index))
      piece = ""
      start = index + 1
      afterGap = true
    } else {
      afterGap = false
    }
  }
  pieces.push(piece + text.slice(start))
  return pieces
}

/**
 * Writes text with gaps, the inverse of `readPieces`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const writePieces = (pieces: Wildcard): string => pieces.map(escapePiece).join("*")

/**
 * Writes one piece so that every character in it means itself.
 *
 * @category encoding
 * @since 0.1.0
 */
export const escapePiece = (piece: string): string => piece.replace(/[\\*()]/g, "\\$&")

/**
 * Says whether a text has the pieces in order, with anything between them.
 *
 * **Details**
 *
 * Each piece is taken at the first place where it fits, so that no backtracking
 * is needed.
 *
 * @category predicates
 * @since 0.1.0
 */
export const matchPieces = (pieces: Wildcard, text: string): boolean => {
  const first = pieces[0] ?? ""
  if (pieces.length < 2) return text === first
  const last = pieces[pieces.length - 1] ?? ""
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let position = first.length
  for (let index = 1; index < pieces.length - 1; index++) {
    const piece = pieces[index] ?? ""
    const found = text.indexOf(piece, position)
    if (found < 0) return false
    position = found + piece.length
    if (position > end) return false
  }
  return true
}

/**
 * Counts how often a character stands in a row just before a position.
 *
 * @category getters
 * @since 0.1.0
 */
export const runBefore = (text: string, end: number, character: number): number => {
  let count = 0
  while (count < end && text.charCodeAt(end - 1 - count) === character) count++
  return count
}

const backslash = 92
const star = 42

const isSpecial = (character: number): boolean =>
  character === star || character === backslash || character === 40 || character === 41
