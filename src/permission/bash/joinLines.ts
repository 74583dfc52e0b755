/**
 * Takes line continuations away, as the shell does before it looks at words.
 *
 * @since 0.1.0
 */

/**
 * A text without its continuations. `agrees` checks, against the ranges of
 * the joined text, that the shell would take away just these.
 *
 * @category models
 * @since 0.1.0
 */
export interface Joined {
  readonly text: string
  readonly agrees: (ranges: Ranges) => boolean
}

/**
 * Where a backslash is literal, and where words stand.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ranges {
  readonly literal: Array<readonly [start: number, end: number]>
  readonly words: Array<readonly [start: number, end: number]>
}

/**
 * Joins lines that end in a backslash. `read` is given a text and gathers its
 * ranges.
 *
 * **Details**
 *
 * Where a continuation stands inside a token the parser may be wrong about
 * everything after it. So the joined text is read once more, and both readings
 * have to agree on what is literal: then, from left to right, the shell comes
 * to the same.
 *
 * @category reading
 * @since 0.1.0
 */
export const joinLines = (text: string, read: (text: string, ranges: Ranges) => void): Joined => {
  const first: Ranges = { literal: [], words: [] }
  read(text, first)
  const isLiteral = covering(first.literal)
  const isComment = commenting(text, first.words)
  const joints: Array<number> = []
  const pieces: Array<string> = []
  let length = 0
  let from = 0
  let comments = false
  for (const at of continuations(text)) {
    if (isLiteral(at)) continue
    comments ||= isComment(at)
    pieces.push(text.slice(from, at))
    length += at - from
    joints.push(length)
    from = at + 2
  }
  const whole = pieces.join("") + text.slice(from)
  return {
    text: whole,
    agrees: ({ literal, words }) => {
      const isNowLiteral = covering(literal)
      const isNowComment = commenting(whole, words)
      return !comments &&
        // A joint at the very beginning of a literal text stands before it.
        joints.every((at) => !(isNowLiteral(at) && isNowLiteral(at - 1)) && !isNowComment(at)) &&
        continuations(whole).every(isNowLiteral)
    }
  }
}

type Covers = (at: number) => boolean

// Says whether a place lies in one of the ranges, which may hold each other.
const covering = (ranges: ReadonlyArray<readonly [start: number, end: number]>): Covers => {
  const sorted = ranges.toSorted(([left], [right]) => left - right)
  const merged: Array<[start: number, end: number]> = []
  for (const [start, end] of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  const starts = merged.map(([start]) => start)
  return (at) => {
    const range = merged[lastBefore(starts, at)]
    return range !== undefined && at < range[1]
  }
}

// In a comment a backslash continues nothing. A `#` begins one unless it stands in a word.
const commenting = (text: string, words: Ranges["words"]): Covers => {
  const isWord = covering(words)
  const comments = [...text.matchAll(/(?:^|[\s;&|()])#/g)].map(({ 0: found, index }) => index + found.length - 1)
    .filter((at) => !isWord(at))
  return (at) => (comments[lastBefore(comments, at)] ?? -1) > text.lastIndexOf("\n", at - 1)
}

// The index of the last of some rising numbers that isn't above one.
const lastBefore = (numbers: ReadonlyArray<number>, at: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

// An escaped backslash before a newline is no continuation.
const continuations = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = text.indexOf("\\\n"); at >= 0; at = text.indexOf("\\\n", at + 2)) {
    let before = at
    while (before > 0 && text.charCodeAt(before - 1) === 92) before--
    if ((at - before) % 2 === 0) found.push(at)
  }
  return found
}
