/**
 * Writes a rule's pattern as a settings file has it.
 *
 * @since 0.1.0
 */
import type { Pattern } from "../../domain/Rule.ts"
import { escapePiece, writePieces } from "./pieces.ts"
import { writePath } from "./readPath.ts"

/**
 * Writes a pattern so that reading it again gives the same pattern.
 *
 * @category encoding
 * @since 0.1.0
 */
export const printRule = ({ specifier, tool }: Pattern): string => {
  const name = tool.join("*")
  switch (specifier._tag) {
    case "Any":
      return name
    case "Command":
    case "Name":
      return `${name}(${writePieces(specifier.pieces)}${specifier.boundary ? " *" : ""})`
    case "Path":
      return `${name}(${writePath(specifier)})`
    case "Domain":
      return `${name}(domain:${specifier.pattern})`
    case "Parameter":
      return `${name}(${specifier.parameter}:${writePieces(specifier.pieces)})`
    case "Description":
      return `${name}(prompt: ${escapePiece(specifier.text)})`
    case "Inert":
      return `${name}(${specifier.text})`
  }
}
