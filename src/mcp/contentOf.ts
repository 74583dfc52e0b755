/**
 * What a server answered, as the model reads it.
 *
 * @since 0.1.0
 */
import type { CallToolResult } from "@modelcontextprotocol/client"
import { asText } from "../domain/Tool.ts"
import type { Content, ContentBlock } from "../domain/ToolResult.ts"

/**
 * Turns the content of an answer into blocks of the Messages API. What that has
 * no block for is named in a text, so that the model knows that it is there.
 *
 * **Details**
 *
 * Structured content is shown only where the server gave no other, as the
 * protocol has it: servers give the same as text for clients that are older.
 *
 * @category rendering
 * @since 0.1.0
 */
export const contentOf = (result: CallToolResult): Content => {
  const blocks = result.content.map(blockOf)
  if (blocks.length === 0) return result.structuredContent === undefined ? "" : asText(result.structuredContent)
  return blocks.every((block) => block.type === "text") ? blocks.map(({ text }) => text).join("\n") : blocks
}

/**
 * The texts of an answer alone, for an error.
 *
 * @category rendering
 * @since 0.1.0
 */
export const textOf = (result: CallToolResult): string => {
  const content = contentOf(result)
  return typeof content === "string"
    ? content
    : content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")
}

type Block = CallToolResult["content"][number]

const blockOf = (block: Block): ContentBlock => {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text }
    case "image":
      return binary(block.mimeType, block.data, "an image")
    case "audio":
      return binary(block.mimeType, block.data, "a sound")
    case "resource_link":
      return text(
        `[the resource \`${block.name}\` at ${block.uri}${
          block.description === undefined ? "" : `: ${block.description}`
        }]`
      )
    case "resource": {
      const { resource } = block
      return "text" in resource
        ? text(`[the resource ${resource.uri}]\n${resource.text}`)
        : binary(resource.mimeType ?? "application/octet-stream", resource.blob, `the resource ${resource.uri}`)
    }
  }
}

const binary = (type: string, data: string, what: string): ContentBlock => {
  if (imageTypes.has(type)) return { type: "image", source: { type: "base64", media_type: type, data } }
  if (type === "application/pdf") return { type: "document", source: { type: "base64", media_type: type, data } }
  return text(`[${what} of the type ${type} with ${Buffer.byteLength(data, "base64")} bytes, which can't be shown]`)
}

// The images that the Messages API takes.
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

const text = (said: string): ContentBlock => ({ type: "text", text: said })
