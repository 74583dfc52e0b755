/**
 * Stage 6: gives what the tool handed back the form in which the model reads
 * it. What is too long is on disk before the model hears of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { RenderedCall, SettledCall } from "../domain/Call.ts"
import type { Stored } from "../domain/Tool.ts"
import type { Content, ContentBlock } from "../domain/ToolResult.ts"
import type { ExecuteError } from "../errors/ExecuteError.ts"
import { ResultStore } from "../services/ResultStore.ts"
import { failureText } from "./failureText.ts"
import { preview } from "./preview.ts"

/**
 * Renders a settled call.
 *
 * @category stages
 * @since 0.1.0
 */
export const result = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>
): Effect.fn.Return<RenderedCall<ExecuteError>, never, ResultStore> {
  const { settled } = call
  if (settled._tag === "Failure") return yield* fitted(call, failureText(settled.error))
  const { content } = settled.output
  if (typeof content !== "string" && "_tag" in content) {
    return { ...call, content: ofStored(content, call.tool.maxResultSizeChars), storedAt: content.path }
  }
  return yield* fitted(call, content)
})

const fitted = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>,
  content: Content
): Effect.fn.Return<RenderedCall<ExecuteError>, never, ResultStore> {
  const limit = call.tool.maxResultSizeChars
  const text = typeof content === "string" ? content : texts(content)
  if (text.length <= limit) return { ...call, content, storedAt: undefined }

  const store = yield* ResultStore
  const kept = yield* Effect.result(store.keep(call.context, call.use.id, text))
  const size = new TextEncoder().encode(text).length
  const shown = kept._tag === "Success"
    ? preview({ head: text, size, path: kept.success, limit })
    : preview({ head: text, size, path: undefined, limit, problem: kept.failure.message })
  return {
    ...call,
    content: typeof content === "string"
      ? shown
      : [{ type: "text", text: shown }, ...content.filter((block) => block.type !== "text")],
    storedAt: kept._tag === "Success" ? kept.success : undefined
  }
})

const texts = (content: ReadonlyArray<ContentBlock>): string =>
  content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")

const ofStored = ({ head, path, size, tail }: Stored, limit: number): string =>
  preview({ head, tail, size, path, limit })
