/**
 * Marks what of a request to the Messages API its server is to keep in its cache.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import type { Block, Message } from "../../domain/Message.ts"
import type { ChatRequest, OfferedTool } from "../../services/ChatModel.ts"

/**
 * A request with its marks; without marks it is the one that it was made of.
 *
 * @category models
 * @since 0.1.0
 */
export interface Marked {
  readonly system: ReadonlyArray<Block> | undefined
  readonly tools: ReadonlyArray<OfferedTool & Mark>
  readonly messages: ReadonlyArray<Message>
}

/**
 * The mark: all that comes before it, and what bears it, is kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mark {
  readonly cache_control?: { readonly type: "ephemeral" }
}

/**
 * Marks a request.
 *
 * **Details**
 *
 * A server takes four marks: the last tool, which other conversations share; the
 * system prompt; the last message of the user's, for the next request to find;
 * and the one before, where the request before this one had its last mark, since
 * a server looks back from a mark over twenty blocks and no further. Marks that a
 * history brings are taken off, so that there are never too many.
 *
 * @category combining
 * @since 0.1.0
 */
export const cacheMarks = ({ messages, system, tools }: ChatRequest): Marked => {
  const users = messages.flatMap(({ content, role }, at) => role === "user" && content.some(mayBear) ? [at] : [])
  const marked = new Set(users.slice(-2))
  return {
    system: system === undefined ? undefined : [{ type: "text", text: system, ...(system.trim() === "" ? {} : mark) }],
    tools: tools.map((tool, at) => at === tools.length - 1 ? { ...tool, ...mark } : tool),
    messages: messages.map(({ content, role }, at) => {
      const bare = content.map(withoutMark)
      return { role, content: marked.has(at) ? withMark(bare) : bare }
    })
  }
}

const mark: Mark = { cache_control: { type: "ephemeral" } }

const withMark = (content: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const last = content.findLastIndex(mayBear)
  return content.map((block, at) => at === last ? { ...block, ...mark } : block)
}

/** Of what a user's message holds; a server refuses a mark on an empty text. */
const mayBear = (block: Block): boolean =>
  block.type === "text"
    ? typeof block["text"] === "string" && block["text"].trim() !== ""
    : ["document", "image", "tool_result"].includes(block.type)

const withoutMark = (block: Block): Block => {
  const { cache_control: _, ...bare } = block
  const { content } = bare
  return Array.isArray(content) ? { ...bare, type: block.type, content: content.map(withoutNested) } : bare
}

const withoutNested = (inner: unknown): unknown => {
  if (!Predicate.hasProperty(inner, "cache_control")) return inner
  const { cache_control: _, ...bare } = inner
  return bare
}
