/**
 * What of an answer may stand in a history.
 *
 * @since 0.1.0
 */
import type { Block } from "../domain/Message.ts"

/**
 * Returns the blocks of an answer that a model takes back.
 *
 * **Details**
 *
 * An empty text is no block, and no message ends with thinking. Of an answer that
 * did not come to its end, tools that the provider runs itself are left out where
 * their result never came.
 *
 * @category getters
 * @since 0.1.0
 */
export const standing = (blocks: ReadonlyArray<Block>, whole: boolean): ReadonlyArray<Block> => {
  const answered = new Set(blocks.map((block) => block["tool_use_id"]))
  const kept = blocks.filter((block) =>
    block.type === "text"
      ? typeof block["text"] === "string" && block["text"].trim() !== ""
      : whole || !block.type.endsWith("_tool_use") || answered.has(block["id"])
  )
  return kept.slice(0, kept.findLastIndex(({ type }) => !type.endsWith("thinking")) + 1)
}
