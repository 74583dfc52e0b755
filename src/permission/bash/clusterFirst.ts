/**
 * Reads the oldest form of the options of `tar`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { tailOf } from "./readOnly/tailOf.ts"

/**
 * Returns the words behind `tar` with a dash before each option: `tar czf a.tgz dir`
 * is `tar -c -z -f a.tgz dir`, where options with values take the words after the
 * cluster in turn.
 *
 * @category reading
 * @since 0.1.0
 */
export const clusterFirst = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [first, ...rest] = words
  const letters = first?.value
  if (first === undefined || letters === undefined || letters.startsWith("-") || !/^[A-Za-z]+$/.test(letters)) {
    return words
  }
  return Array.from(letters).flatMap((letter) => {
    const takes = /[fCTXbgIFKLNVH]/.test(letter) ? rest.splice(0, 1) : []
    return [{ ...tailOf(first, 0), known: [`-${letter}`] as const, value: `-${letter}` }, ...takes]
  }).concat(rest)
}
