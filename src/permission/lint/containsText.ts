/**
 * Whether one text with gaps covers all that another one covers.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import { unknownWords } from "../rule/commandTexts.ts"
import { matchPieces } from "../rule/pieces.ts"

/**
 * Says whether every text that `inner` matches is matched by `outer`.
 *
 * **Details**
 *
 * A gap of the inner one is written as a character that no pattern holds, which
 * only a gap of the outer one can cover; whatever stands there instead is covered
 * by the same gap. So the answer is exact.
 *
 * **Example** (Comparing two patterns)
 *
 * ```ts
 * import { containsText } from "toolgate/permission/lint/containsText"
 *
 * containsText(["git ", ""], ["git push ", ""]) // => true
 * containsText(["git push ", ""], ["git ", ""]) // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const containsText = (outer: Wildcard, inner: Wildcard): boolean => matchPieces(outer, inner.join(anything))

/**
 * A text with gaps whose last gap may also stand for nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bounded {
  readonly pieces: Wildcard
  readonly boundary: boolean
}

/**
 * Says the same of texts that may end in ` *`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const containsBounded = (outer: Bounded, inner: Bounded): boolean =>
  variants(inner).every((one) => variants(outer).some((other) => containsText(other, one)))

// Reserved by Unicode for use inside of programs, and by none of the stand-ins of texts.
const anything = "\uFDD4"

const variants = ({ boundary, pieces }: Bounded): ReadonlyArray<Wildcard> => {
  if (!boundary) return [pieces]
  const goesOn = (blank: string): Wildcard => [...pieces.slice(0, -1), `${pieces.at(-1) ?? ""}${blank}`, ""]
  return [pieces, goesOn(" "), goesOn(unknownWords)]
}
