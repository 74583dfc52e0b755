/**
 * Breaks text into rows for a terminal.
 *
 * @since 0.1.0
 */

/**
 * Breaks a text into rows of at most `width` columns, losing nothing.
 *
 * **Details**
 *
 * Breaks behind a space where there is one in the last third of a row, else
 * anywhere; a space that doesn't fit hangs over. Characters from U+1100 on count
 * as two columns, so that a row may end early and never late.
 *
 * **Example** (Rows of ten columns)
 *
 * ```ts
 * import { wrap } from "toolgate/layers/approver/wrap"
 *
 * wrap("git status and more", 10) // => ["git status ", "and more"]
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const limit = Math.max(width, 4)
  return text.split("\n").flatMap((line) => wide.test(line) ? wideRows(line, limit) : narrowRows(line, limit))
}

const wide = /[\u1100-\u{10FFFF}]/u

/** Rows of characters of one column each: the common case, and inputs may be long. */
const narrowRows = (line: string, limit: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let at = 0
  while (line.length - at > limit) {
    const row = line.slice(at, at + limit)
    const end = line[at + limit] === " " ? limit + 1 : breakOf(row)
    rows.push(line.slice(at, at + end))
    at += end
  }
  return at < line.length || rows.length === 0 ? [...rows, line.slice(at)] : rows
}

const wideRows = (line: string, limit: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let row = ""
  let used = 0
  for (const character of line) {
    const columns = columnsOf(character)
    if (used + columns > limit) {
      const end = character === " " ? row.length : breakOf(row)
      rows.push(character === " " ? row + character : row.slice(0, end))
      row = row.slice(end)
      used = Array.from(row).reduce((sum, kept) => sum + columnsOf(kept), 0)
      if (character === " ") continue
    }
    row += character
    used += columns
  }
  return row === "" && rows.length > 0 ? rows : [...rows, row]
}

/** Where a full row is broken: behind its last space, unless that would leave too much of it empty. */
const breakOf = (row: string): number => {
  const space = row.lastIndexOf(" ")
  return space > row.length * 2 / 3 ? space + 1 : row.length
}

const columnsOf = (character: string): number => character >= "\u1100" ? 2 : 1
