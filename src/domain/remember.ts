/**
 * Maps that remember the newest and forget the oldest.
 *
 * @since 0.1.0
 */

/**
 * Puts a value into a map as its newest, and takes out the oldest where there are
 * more than `most`.
 *
 * **Example** (Room for two)
 *
 * ```ts
 * import { remember } from "toolgate/domain/remember"
 *
 * const known = new Map<string, number>()
 * for (const [at, name] of ["a", "b", "a", "c"].entries()) remember(known, name, at, 2)
 *
 * Array.from(known.keys()) // => ["a", "c"]
 * ```
 *
 * @category changing
 * @since 0.1.0
 */
export const remember = <Key, Value>(known: Map<Key, Value>, key: Key, value: Value, most: number): void => {
  known.delete(key)
  known.set(key, value)
  for (const oldest of known.keys()) {
    if (known.size <= most) return
    known.delete(oldest)
  }
}
