/**
 * Every sentence that is known.
 *
 * @since 0.1.0
 */
import type { Check, Checks } from "../Check.ts"
import { asking } from "./asking.ts"
import { notes } from "./notes.ts"
import { results } from "./results.ts"
import { running } from "./running.ts"

const table: Checks = { ...results, ...running, ...asking, ...notes }

/**
 * The check of a sentence, if there is one.
 *
 * @category checks
 * @since 0.1.0
 */
export const checkOf = (sentence: string): Check | undefined =>
  Object.hasOwn(table, sentence) ? table[sentence] : undefined
