/**
 * What an error says, of whatever kind it is.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Returns the message of an error, or undefined for what has none or an empty
 * one.
 *
 * **Example** (An error and something else that was thrown)
 *
 * ```ts
 * import { messageOf } from "toolgate/errors/messageOf"
 *
 * messageOf(new Error("no such row")) // => "no such row"
 * messageOf(404) // => undefined
 * ```
 *
 * **Gotchas**
 *
 * Throws what an error throws that does not let itself be looked at.
 *
 * @category getters
 * @since 0.1.0
 */
export const messageOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "message") && typeof error.message === "string" && error.message !== ""
    ? error.message
    : undefined
