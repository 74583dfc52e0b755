/**
 * Conditions: `test` and `[`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { mayBecomeMany } from "./mayBecomeFlag.ts"
import type { Arguments } from "./readArguments.ts"

/**
 * Says why a condition may do more than look, or nothing.
 *
 * **Details**
 *
 * Conditions look at names and never open a file, but bash evaluates what
 * stands in the place of a variable's name: `test -v 'a[$(rm x)]'` runs `rm`.
 * So a name has to be a name, and no word may turn into `-v`.
 *
 * @category checks
 * @since 0.1.0
 */
export const checkConditional = ({ words }: Arguments): string | undefined => {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word === undefined) continue
    if (mayBecomeMany(word)) return runTime
    const next = words[i + 1]
    if (next === undefined || isName(next)) continue
    if (word.value !== undefined && /^-[vR]$/.test(word.value)) return "may run what stands in a variable's place"
    if (word.value === undefined && mayBeTest(word) && next.value === undefined) return runTime
    if (word.value === undefined && mayBeTest(word) && next.value?.includes("[") && next.value !== "[") return runTime
  }
  return undefined
}

const runTime = "has words that are only known when it runs"

const isName = (word: Word): boolean => word.value !== undefined && /^\w+$/.test(word.value)

const mayBeTest = ({ known: [head] }: Word): boolean => "-v".startsWith(head) || "-R".startsWith(head)
