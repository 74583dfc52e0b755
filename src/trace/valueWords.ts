/**
 * Inputs and results as a person reads them.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Content, ContentBlock } from "../domain/ToolResult.ts"
import { showSize } from "../tools/showSize.ts"
import type { Words } from "./Step.ts"

/**
 * Returns the fields of an input, a shell's command first and without its name.
 *
 * @category conversions
 * @since 0.1.0
 */
export const inputWords = (use: { readonly name: string; readonly input: unknown }): ReadonlyArray<Words> => {
  const { input } = use
  if (!Predicate.isObject(input) || Array.isArray(input)) return [{ kind: "verbatim", text: textOfValue(input) }]
  const isLine = use.name === "Bash" && typeof input["command"] === "string"
  return Object.entries(input)
    .sort(([one], [other]) => Number(isLine && other === "command") - Number(isLine && one === "command"))
    .map(([label, value]): Words => ({
      kind: "verbatim",
      ...(isLine && label === "command" ? {} : { label }),
      text: textOfValue(value)
    }))
}

/**
 * Returns the blocks of a result; one that is no text is named.
 *
 * @category conversions
 * @since 0.1.0
 */
export const contentWords = (content: Content): ReadonlyArray<Words> =>
  typeof content === "string" ? [{ kind: "verbatim", text: content }] : content.map(blockWords)

const blockWords = (block: ContentBlock): Words => {
  if (block.type === "text") return { kind: "verbatim", text: block.text }
  if (block.type !== "image") return { kind: "verbatim", label: block.type, text: textOfValue(block) }
  return block.source.type === "url"
    ? { kind: "verbatim", label: "image at", text: block.source.url }
    : {
      kind: "remark",
      text: `an image, ${block.source.media_type}, ${showSize(Math.floor(block.source.data.length * 3 / 4))}`
    }
}

const textOfValue = (value: unknown): string => {
  if (typeof value === "string") return value
  const json = Result.try(() => JSON.stringify(value, undefined, 2))
  return Result.isSuccess(json) ? json.success ?? String(value) : "(nested too deep to be shown)"
}
