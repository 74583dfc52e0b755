/**
 * Reads rules on one field of a tool's input, `Tool(field:value)`.
 *
 * @since 0.1.0
 */
import { inputFields, isPrimaryField } from "./inputFields.ts"
import { readPieces } from "./pieces.ts"
import type { Reading, ReadSpecifier } from "./Reader.ts"
import { loss } from "./RuleProblem.ts"

/**
 * A rule on the field that the tool's own rules are about, written as the rule
 * that says the same: `Bash(command:rm *)` is `Bash(rm *)`.
 *
 * @category models
 * @since 0.1.0
 */
export interface PrimaryField {
  readonly field: string
  readonly value: string
}

/**
 * Reads a rule on a field, or returns undefined where the content is no such
 * rule.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readParameter = (
  content: string,
  { behavior, offset, tool }: Reading
): ReadSpecifier | PrimaryField | undefined => {
  const match = /^\s*([A-Za-z_-][\w-]*)\s*:/.exec(content)
  const field = match?.[1] ?? ""
  const value = content.slice(match?.[0].length ?? 0).trim()
  const fields = inputFields(tool)
  if (match === null || (fields !== undefined && !fields.has(field))) return undefined
  if (/^\*+$/.test(value) && isShell(tool)) return undefined
  if (isPrimaryField(tool, field)) return { field, value }
  if (behavior !== "allow") {
    return { specifier: { _tag: "Parameter", parameter: field, pieces: readPieces(value) }, problems: [] }
  }
  const problem = loss(behavior, `a rule on the field \`${field}\` can only deny or ask`, offset)
  return { specifier: { _tag: "Inert", text: content }, problems: [problem] }
}

// INVARIANT: `Bash(timeout:*)` is every command that starts with `timeout`, as
// people have written it for years; a field's own wildcard has no use there.
const isShell = (tool: string): boolean => tool === "Bash" || tool === "PowerShell" || tool === "Monitor"
