/**
 * Tells whether a value is still the one that it was.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import { createHash } from "node:crypto"

/**
 * The checksum (SHA-256, as 64 digits of base 16) of what JSON can say. The order of an object's members counts
 * for nothing.
 *
 * **Example** (Telling the same from what changed)
 *
 * ```ts
 * import { checksum } from "toolgate/layers/files/checksum"
 *
 * checksum({ a: 1, b: 2 }) === checksum({ b: 2, a: 1 }) // => true
 * checksum(["a", "b"]) === checksum(["b", "a"]) // => false
 * ```
 *
 * @category hashing
 * @since 0.1.0
 */
export const checksum = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(sorted(value)) ?? "").digest("hex")

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  return Predicate.isObject(value)
    ? Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => [key, sorted(item)])
    : value
}
