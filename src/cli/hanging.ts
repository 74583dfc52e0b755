/**
 * Lays out a text behind a label.
 *
 * @since 0.1.0
 */
import { wrapWords } from "./wrapWords.ts"

/**
 * Puts a text behind a label, its further rows below its first. Without a number
 * of columns, as in a pipe or a file, everything stays on one row.
 *
 * @category formatting
 * @since 0.1.0
 */
export const hanging = (label: string, text: string, columns: number | undefined): string => {
  if (columns === undefined) return `${label}${text}`
  const indent = Math.min(label.length, Math.floor(columns / 3))
  const rows = wrapWords(text, Math.max(columns - indent - 1, 20))
  return `${label}${rows.join(`\n${" ".repeat(indent)}`)}`
}
