/**
 * The newest of many files, without holding them all.
 *
 * @since 0.1.0
 */

/**
 * A file and when it was changed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Dated {
  readonly path: string
  readonly mtimeMillis: number
}

/**
 * Takes files in any order.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewestFirst {
  readonly add: (file: Dated) => void
  /** How many files were added. */
  readonly count: () => number
  /** The newest, newest first; of the same time, by name. */
  readonly list: () => ReadonlyArray<Dated>
}

/**
 * Begins a list that keeps the `limit` newest.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (limit: number): NewestFirst => {
  let kept: Array<Dated> = []
  let count = 0
  const trim = () => {
    kept = kept.sort(newer).slice(0, limit)
  }
  return {
    add: (file) => {
      count += 1
      kept.push(file)
      if (kept.length >= 2 * limit + 100) trim()
    },
    count: () => count,
    list: () => {
      trim()
      return kept
    }
  }
}

const newer = (a: Dated, b: Dated): number => b.mtimeMillis - a.mtimeMillis || (a.path < b.path ? -1 : 1)
