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
export const occurrences = (text: string, wanted: string): ReadonlyArray<Occurrence> => [
  ...found(text, wanted, wanted.length)
]

/**
 * Finds the second place of a text, which may overlap the first.
 *
 * **Example** (A text that could be meant twice)
 *
 * ```ts
 * import { secondOccurrence } from "toolgate/tools/replaceText"
 *
 * secondOccurrence("ababa", "aba") // => { start: 2, end: 5 }
 * ```
 *
 * @category searching
 * @since 0.1.0
 */
export const secondOccurrence = (text: string, wanted: string): Occurrence | undefined => {
  const [, second] = found(text, wanted, 1)
  return second
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
  const mixed = text.includes("\r\n") && by.includes("\n")
  const pieces: Array<string> = []
  let from = 0
  let after = -1
  for (const { end, start } of places) {
    if (mixed && after < end) after = endFrom(text, end)
    pieces.push(text.slice(from, start), mixed ? withLineEnds(by, lineEnds(text, { start, end, after })) : by)
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

/** Looks in the text with LF alone, where its line ends matter, and says where that is in the text as it is. */
const found = function*(text: string, wanted: string, step: number): Generator<Occurrence> {
  if (wanted === "") return
  const mixed = text.includes("\r\n") && wanted.includes("\n")
  const [within, part] = mixed ? [toLf(text), toLf(wanted)] : [text, wanted]
  const shortened = mixed ? shortenedEnds(text) : []
  const next = Math.min(step, part.length)
  let before = 0
  for (let at = within.indexOf(part); at !== -1; at = within.indexOf(part, at + next)) {
    before = countBelow(shortened, at, before)
    yield { start: at + before, end: at + part.length + countBelow(shortened, at + part.length, before) }
  }
}

const toLf = (text: string): string => text.replaceAll("\r\n", "\n")

/** Where each line end that was CRLF is in the text with LF alone. */
const shortenedEnds = (text: string): ReadonlyArray<number> => {
  const ends: Array<number> = []
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) ends.push(at - ends.length)
  return ends
}

const countBelow = (ascending: ReadonlyArray<number>, limit: number, from: number): number => {
  let count = from
  while ((ascending[count] ?? limit) < limit) count += 1
  return count
}

/** Where the next line end is, or the end of the text. */
const endFrom = (text: string, from: number): number => {
  const at = text.indexOf("\n", from)
  return at === -1 ? text.length : at
}

/** The line ends of a place, or the one of the line that it is on, or of the line before. */
const lineEnds = (
  text: string,
  { after, end, start }: Occurrence & { readonly after: number }
): ReadonlyArray<string> => {
  const own = text.slice(start, end).match(/\r?\n/g)
  if (own !== null) return own
  const near = after === text.length ? text.lastIndexOf("\n", start) : after
  return [text[near - 1] === "\r" ? "\r\n" : "\n"]
}

const withLineEnds = (by: string, ends: ReadonlyArray<string>): string => {
  let index = 0
  return toLf(by).replace(/\n/g, () => ends[Math.min(index++, ends.length - 1)] ?? "\n")
}
