/**
 * The block with which a tool call is answered.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a block of text.
 *
 * @category models
 * @since 0.1.0
 */
export const TextBlock = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

/**
 * Schema for an image, inlined as base64 or named by address.
 *
 * @category models
 * @since 0.1.0
 */
export const ImageBlock = Schema.Struct({
  type: Schema.Literal("image"),
  source: Schema.Union([
    Schema.Struct({ type: Schema.Literal("base64"), media_type: Schema.String, data: Schema.String }),
    Schema.Struct({ type: Schema.Literal("url"), url: Schema.String })
  ])
})

/**
 * Schema for the other blocks that a `tool_result` may hold. They pass through
 * untouched, so their fields are kept as they came.
 *
 * @category models
 * @since 0.1.0
 */
export const OtherBlock = Schema.StructWithRest(
  Schema.Struct({ type: Schema.Literals(["document", "search_result", "resource"]) }),
  [Schema.Record(Schema.String, Schema.Json)]
)

/**
 * Schema for one block of a result.
 *
 * @category models
 * @since 0.1.0
 */
export const ContentBlock = Schema.Union([TextBlock, ImageBlock, OtherBlock])

/**
 * @category models
 * @since 0.1.0
 */
export type ContentBlock = typeof ContentBlock.Type

/**
 * Schema for the content of a result: text, or a list of blocks.
 *
 * @category models
 * @since 0.1.0
 */
export const Content = Schema.Union([Schema.String, Schema.Array(ContentBlock)])

/**
 * @category models
 * @since 0.1.0
 */
export type Content = typeof Content.Type

/**
 * Schema for a `tool_result` block of the Anthropic Messages API.
 *
 * @category models
 * @since 0.1.0
 */
export const ToolResult = Schema.Struct({
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.NonEmptyString,
  content: Content,
  is_error: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ToolResult = typeof ToolResult.Type

/**
 * Returns the text of a result's content, blocks that are no text left out.
 *
 * **Example** (Reading what the model reads)
 *
 * ```ts
 * import * as ToolResult from "toolgate/domain/ToolResult"
 *
 * ToolResult.textOf([{ type: "text", text: "one" }, { type: "text", text: "two" }]) // => "one\ntwo"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (content: Content): string =>
  typeof content === "string"
    ? content
    : content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")
