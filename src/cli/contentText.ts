/**
 * A result as a person at a shell reads it.
 *
 * @since 0.1.0
 */
import type { Content, ContentBlock } from "../domain/ToolResult.ts"
import { visible } from "../layers/approver/visible.ts"

/**
 * Returns the text of a result; a block that is no text is a line that names it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const contentText = (content: Content): string =>
  typeof content === "string" ? content : content.map(blockText).join("\n")

const blockText = (block: ContentBlock): string => {
  if (block.type === "text") return block.text
  if (block.type !== "image") return `[${block.type}, see it with --output json]`
  return block.source.type === "url"
    ? `[image at ${block.source.url}]`
    : `[image, ${block.source.media_type}, ${Math.floor(block.source.data.length * 3 / 4)} bytes]`
}

/**
 * Spells out what a terminal would act upon, tabs and newlines left alone. For
 * terminals only: what goes into a pipe or a file goes there as it is.
 *
 * @category formatting
 * @since 0.1.0
 */
export const forTerminal = (text: string): string => text.replace(/[^\P{Cc}\t\n]/gu, visible)
