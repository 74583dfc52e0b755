/**
 * Checks: one for each sentence that a case may add to the answer it expects.
 *
 * @since 0.1.0
 */
import type { Observation } from "./Observation.ts"

/**
 * What has to be there for a sentence to be seen.
 *
 * **Details**
 *
 * - `shell`: command lines run for real.
 * - `files`: file tools work for real.
 * - `gone`: the working directory is not there.
 * - `offered`: the rules that the question offers are saved, and the call is
 *   decided once more.
 * - `clock`: a machine that is not too busy, since the sentence speaks of time.
 *
 * @category models
 * @since 0.1.0
 */
export type Need = "shell" | "files" | "gone" | "offered" | "clock"

/**
 * Says whether a sentence holds of what was seen.
 *
 * @category models
 * @since 0.1.0
 */
export interface Check {
  readonly holds: (seen: Observation) => boolean
  readonly needs: ReadonlyArray<Need>
}

/**
 * Checks by their sentences.
 *
 * @category models
 * @since 0.1.0
 */
export interface Checks {
  readonly [sentence: string]: Check
}

/**
 * Makes a check.
 *
 * @category constructors
 * @since 0.1.0
 */
export const check = (holds: Check["holds"], ...needs: ReadonlyArray<Need>): Check => ({ holds, needs })
