/**
 * Stage 6: gives what the tool handed back the form in which the model reads
 * it. What is too long is on disk before the model hears of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { RenderedCall, SettledCall } from "../domain/Call.ts"
import { resultLimit } from "../domain/Policy.ts"
import type { Stored } from "../domain/Tool.ts"
import type { Content, ContentBlock } from "../domain/ToolResult.ts"
import { type ExecuteError, ToolFailed, ToolTimedOut } from "../errors/ExecuteError.ts"
import { ResultStoreFailed } from "../errors/ResultError.ts"
import { CallEvents } from "../services/CallEvents.ts"
import { ResultStore } from "../services/ResultStore.ts"
import { capped, type Whole } from "./capped.ts"
import { failureText } from "./failureText.ts"
import { preview } from "./preview.ts"

/**
 * Renders a settled call.
 *
 * **Details**
 *
 * What was too long is in the store, and from here on only there: the value that
 * post hooks get is cut down to the tool's limit and says where the whole is.
 *
 * @category stages
 * @since 0.1.0
 */
export const result = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>
): Effect.fn.Return<RenderedCall<ExecuteError>, never, ResultStore> {
  const { settled } = call
  if (settled._tag === "Failure") {
    const fit = yield* fitted(call, failureText(settled.error))
    const error = fit.whole === undefined ? settled.error : brief(settled.error)
    yield* stored(call, fit.whole ?? keptByTool(settled.error))
    return { ...call, settled: { _tag: "Failure", error }, content: fit.content, storedAt: fit.whole?.path }
  }
  const { content, value } = settled.output
  const fit = typeof content !== "string" && "_tag" in content
    ? ofStored(content, limitOf(call))
    : yield* fitted(call, content)
  yield* stored(call, fit.whole)
  const output = {
    ...settled.output,
    value: capped(value, Math.max(limitOf(call), leastForHooks), fit.whole),
    content: fit.content
  }
  return { ...call, settled: { _tag: "Success", output }, content: fit.content, storedAt: fit.whole?.path }
})

const limitOf = ({ policy, tool }: SettledCall<ExecuteError>): number =>
  (policy === undefined ? undefined : resultLimit(policy, tool.name)) ?? tool.maxResultSizeChars

/** Tells whoever watches where the whole of a result is. */
const stored = (
  { use: { id } }: SettledCall<ExecuteError>,
  file: { readonly path: string; readonly size?: number } | undefined
): Effect.Effect<void> =>
  file === undefined
    ? Effect.void
    : Effect.flatMap(CallEvents, (publish) => publish({ _tag: "Stored", id, ...file }))

const keptByTool = (error: ExecuteError): { readonly path: string } | undefined =>
  "storedAt" in error && error.storedAt !== undefined ? { path: error.storedAt } : undefined

// A tool with a very small limit has hooks that want to see a value all the same.
const leastForHooks = 10_000

interface Fit {
  readonly content: Content
  readonly whole?: Whole
}

const fitted = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>,
  content: Content
): Effect.fn.Return<Fit, never, ResultStore> {
  const limit = limitOf(call)
  const text = typeof content === "string" ? content : texts(content)
  if (text.length <= limit) return { content }

  const store = yield* ResultStore
  const kept = yield* Effect.result(Effect.catchDefect(store.keep(call.context, call.use.id, text), (cause) =>
    // INVARIANT: the tool has run, so that its output outlives whatever the store does.
    Effect.fail(new ResultStoreFailed({ reason: "the store itself failed", cause }))))
  const size = new TextEncoder().encode(text).length
  const shown = kept._tag === "Success"
    ? preview({ head: text, size, path: kept.success, limit })
    : preview({ head: text, size, path: undefined, limit, problem: kept.failure.message })
  return {
    content: typeof content === "string"
      ? shown
      : [{ type: "text", text: shown }, ...content.filter((block) => block.type !== "text")],
    ...(kept._tag === "Success" ? { whole: { path: kept.success, size } } : {})
  }
})

const texts = (content: ReadonlyArray<ContentBlock>): string =>
  content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")

const ofStored = ({ head, path, size, tail }: Stored, limit: number): Fit => ({
  content: preview({ head, tail, size, path, limit }),
  whole: { path, size }
})

/** The error without the output that is in the store. */
const brief = (error: ExecuteError): ExecuteError => {
  switch (error._tag) {
    case "ToolFailed":
      return new ToolFailed({
        reason: error.reason.slice(0, leastForHooks),
        ...(error.storedAt === undefined ? {} : { storedAt: error.storedAt }),
        ...(error.exitCode === undefined ? {} : { exitCode: error.exitCode }),
        ...(error.cause === undefined ? {} : { cause: error.cause })
      })
    case "ToolTimedOut":
      return new ToolTimedOut({
        limitMillis: error.limitMillis,
        ...(error.storedAt === undefined ? {} : { storedAt: error.storedAt })
      })
    case "McpCallFailed":
    case "McpAuthRequired":
      return error
  }
}
