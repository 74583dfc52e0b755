/**
 * Holds a rule on one field against the input of a tool.
 *
 * @since 0.1.0
 */
import type { Specifier } from "../../domain/Rule.ts"
import { matchPieces } from "./pieces.ts"

/**
 * Says whether a field at the top of an input has the value that a rule names.
 * What is absent, and what is no single value, never matches.
 *
 * @category matching
 * @since 0.1.0
 */
export const matchParameter = (
  { parameter, pieces }: Extract<Specifier, { readonly _tag: "Parameter" }>,
  input: unknown
): boolean => {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, parameter)) return false
  const value: unknown = Reflect.get(input, parameter)
  return isScalar(value) && matchPieces(pieces, String(value).trim())
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
