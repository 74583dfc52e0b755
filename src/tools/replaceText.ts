/**
 * Finds a text in a file's and puts another in its place.
 *
 * @since 0.1.0
 */

/**
 * Where a text was found, and how to replace it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Occurrence {
  readonly start: number
  readonly end: number
}

/**
 * Finds every place of a text, from the beginning on, none overlapping another.
 *
 * **Details**
 *
 * In a file with CRLF line ends a line end of the text fits either kind.
 *
 * @category searching
 * @since 0.1.0
 */
export const occurrences = (text: string, wanted: string): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  if (wanted === "") return found
  if (!text.includes("\r\n") || !wanted.includes("\n")) {
    for (let start = text.indexOf(wanted); start !== -1; start = text.indexOf(wanted, start + wanted.length)) {
      found.push({ start, end: start + wanted.length })
    }
    return found
  }
  const pattern = toLf(wanted).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replaceAll("\n", "\\r?\\n")
  for (const match of text.matchAll(new RegExp(pattern, "g"))) {
    found.push({ start: match.index, end: match.index + match[0].length })
  }
  return found
}

/**
 * Puts `by` in every place, literally. In a file with CRLF line ends each place
 * keeps the line ends that it has, one after the other; where it has fewer, the
 * last one's kind goes on, or that of the line that it is on.
 *
 * **Example** (A dollar sign is a dollar sign)
 *
 * ```ts
 * import { occurrences, replaceText } from "toolgate/tools/replaceText"
 *
 * replaceText("a b", occurrences("a b", "b"), "$&") // => "a $&"
 * ```
 *
 * @category editing
 * @since 0.1.0
 */
export const replaceText = (text: string, places: ReadonlyArray<Occurrence>, by: string): string => {
  const crlf = text.includes("\r\n")
  const pieces: Array<string> = []
  let from = 0
  for (const { end, start } of places) {
    pieces.push(text.slice(from, start), crlf ? withLineEnds(by, lineEnds(text, start, end)) : by)
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join("")
}

/**
 * Returns the number of the line that a position is on.
 *
 * @category getters
 * @since 0.1.0
 */
export const lineAt = (text: string, position: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1
  return line
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n")

/** The line ends of a place, or the one of the line that it is on, or of the line before. */
const lineEnds = (text: string, start: number, end: number): ReadonlyArray<string> => {
  const own = text.slice(start, end).match(/\r?\n/g)
  if (own !== null) return own
  const after = text.indexOf("\n", end)
  const near = after === -1 ? text.lastIndexOf("\n", start) : after
  return [text[near - 1] === "\r" ? "\r\n" : "\n"]
}

const withLineEnds = (by: string, ends: ReadonlyArray<string>): string => {
  let index = 0
  return toLf(by).replace(/\n/g, () => ends[Math.min(index++, ends.length - 1)] ?? "\n")
}
