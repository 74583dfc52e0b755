/**
 * Near names, for those who misspelt one.
 *
 * @since 0.1.0
 */

/**
 * Returns the candidates that a misspelt name probably meant, nearest first.
 *
 * **Details**
 *
 * Case counts for nothing, two letters swapped count as one mistake, and words
 * in another order (`Stop Task`) as none. What differs in more than a third of
 * its letters is not near.
 *
 * **Example** (Finding the tool that was meant)
 *
 * ```ts
 * import { nearest } from "toolgate/domain/nearest"
 *
 * nearest("Wirte", ["Read", "Write", "Bash"]) // => ["Write"]
 * ```
 *
 * @category searching
 * @since 0.1.0
 */
export const nearest = (name: string, candidates: Iterable<string>, limit = 3): ReadonlyArray<string> => {
  if (name.length === 0 || name.length > maxLength) return []
  const found: Array<{ readonly candidate: string; readonly distance: number }> = []
  for (const candidate of new Set(candidates)) {
    const bound = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    const distance = wordsOf(name) === wordsOf(candidate)
      ? 0
      : distanceWithin(name.toLowerCase(), candidate.toLowerCase(), bound)
    if (distance <= bound) found.push({ candidate, distance })
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

const maxLength = 128

const wordsOf = (name: string): string =>
  (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+/g) ?? [name]).map((word) => word.toLowerCase()).sort().join(" ")

const distanceWithin = (a: string, b: string, bound: number): number => {
  if (Math.abs(a.length - b.length) > bound) return bound + 1
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, j - 2) + 1 : Infinity
      ))
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Infinity
