/**
 * What a model is told beside a result.
 *
 * @since 0.1.0
 */
import type { Content } from "../domain/ToolResult.ts"

/**
 * Adds notes to the content of a result, a line each.
 *
 * @category rendering
 * @since 0.1.0
 */
export const withNotes = (content: Content, notes: ReadonlyArray<string>): Content => {
  if (notes.length === 0) return content
  const text = notes.map((note) => `[note: ${note}]`).join("\n")
  return typeof content === "string"
    ? content === "" ? text : `${content}\n\n${text}`
    : [...content, { type: "text", text }]
}
