/**
 * Holds a name pattern against the name of an agent or a skill.
 *
 * @since 0.1.0
 */
import type { Specifier } from "../../domain/Rule.ts"
import { matchPieces } from "./pieces.ts"

/**
 * Says whether a pattern of names matches a name, which may have arguments
 * after a blank.
 *
 * @category matching
 * @since 0.1.0
 */
export const matchName = (
  { boundary, pieces }: Extract<Specifier, { readonly _tag: "Name" }>,
  name: string
): boolean => {
  const text = name.trim().replace(/^\//, "")
  if (matchPieces(pieces, text)) return true
  const last = pieces.at(-1) ?? ""
  if (boundary) return matchPieces([...pieces.slice(0, -1), `${last} `, ""], text)

  const owner = last === "" ? pieces.at(-2) ?? "" : ""
  if (!owner.endsWith(":")) return false
  const alone = [...pieces.slice(0, -2), owner.slice(0, -1)]
  return matchPieces(alone, text) || matchPieces([...alone.slice(0, -1), `${alone.at(-1)} `, ""], text)
}
