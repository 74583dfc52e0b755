/**
 * How a rule compares with a demand: it matches, it may match once the command
 * runs, or it does not; and why.
 *
 * @since 0.1.0
 */

/**
 * The outcome of comparing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Matched {
  readonly matched: "yes" | "maybe" | "no"
  readonly why: string
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const no = (why: string): Matched => ({ matched: "no", why })

/**
 * @category constructors
 * @since 0.1.0
 */
export const maybe = (why: string): Matched => ({ matched: "maybe", why })

/**
 * @category constructors
 * @since 0.1.0
 */
export const yes = (why: string): Matched => ({ matched: "yes", why })

/**
 * Returns the surest of several comparisons; `no` with the reason given when
 * there are none.
 *
 * @category combining
 * @since 0.1.0
 */
export const surest = (all: Iterable<Matched>, otherwise: string): Matched => {
  let best = no(otherwise)
  for (const one of all) {
    if (one.matched === "yes") return one
    if (one.matched === "maybe") best = best.matched === "maybe" ? best : one
  }
  return best
}
