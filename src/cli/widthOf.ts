/**
 * How wide a terminal shows a text.
 *
 * @since 0.1.0
 */
import { displayWidth } from "effect/cli/CliOutput"

/**
 * How many cells of a terminal a text takes: two for a wide character, none for a
 * mark that stands on another.
 *
 * @category getters
 * @since 0.1.0
 */
// What tells characters apart takes as long to make as a decision, and most texts need none of it.
export const widthOf = (text: string): number => /^[ -~]*$/.test(text) ? text.length : displayWidth(text)
