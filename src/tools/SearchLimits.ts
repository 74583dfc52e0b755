/**
 * How long a search may take.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Reference for how many milliseconds Glob and Grep may search: 20 seconds. A
 * search that takes longer is stopped, and gives what it has found by then.
 *
 * @category references
 * @since 0.1.0
 */
export const SearchLimits = Context.Reference<{ readonly timeoutMillis: number }>("toolgate/tools/SearchLimits", {
  defaultValue: () => ({ timeoutMillis: 20_000 })
})
