/**
 * Breaks prose into rows.
 *
 * @since 0.1.0
 */
import { widthOf } from "./widthOf.ts"

/**
 * Breaks a text into rows of at most `width` cells between its words. A
 * word longer than a row has a row of its own.
 *
 * @category formatting
 * @since 0.1.0
 */
export const wrapWords = (text: string, width: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  for (const word of text.split(/\s+/)) {
    const row = rows.at(-1)
    if (word === "") continue
    if (row === undefined || widthOf(row) + 1 + widthOf(word) > width) rows.push(word)
    else rows[rows.length - 1] = `${row} ${word}`
  }
  return rows
}
