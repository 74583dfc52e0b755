/**
 * The one form in which this program speaks of itself: a line on standard
 * error.
 *
 * @since 0.1.0
 */
import { visible } from "../layers/approver/visible.ts"
import { hanging } from "./hanging.ts"
import * as write from "./write.ts"

/**
 * Makes one line of a message, whatever it holds. In a terminal it is broken
 * between its words.
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (message: string): string => `${hanging("toolgate: ", oneLine(message), write.columns(2))}\n`

/**
 * Puts a text on one line, its control characters spelled out, cut where nobody
 * would read on.
 *
 * @category formatting
 * @since 0.1.0
 */
export const oneLine = (text: string, limit = 2000): string => {
  // The head is enough to cut from, and spares a long text the work below.
  const joined = visible(text.slice(0, limit * 4).trim().replace(/\s*\r?\n\s*/g, " "))
  return joined.length > limit ? `${joined.slice(0, limit)}...` : joined
}
