/**
 * Stage 6: gives what the tool handed back the form in which the model reads
 * it. What is too long is on disk before the model hears of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { RenderedCall, SettledCall } from "../domain/Call.ts"
import type { Note } from "../domain/Note.ts"
import { resultLimit } from "../domain/Policy.ts"
import type { Output, Stored } from "../domain/Tool.ts"
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
export const result = (
  call: SettledCall<ExecuteError>
): Effect.Effect<RenderedCall<ExecuteError>, never, ResultStore> =>
  call.settled._tag === "Failure" ? failed(call, call.settled.error) : succeeded(call, call.settled.output)

const succeeded = (
  call: SettledCall<ExecuteError>,
  output: Output
): Effect.Effect<RenderedCall<ExecuteError>, never, ResultStore> => {
  const { content, value } = output
  const fitting = typeof content !== "string" && "_tag" in content
    ? Effect.succeed(ofStored(content, limitOf(call)))
    : fitted(call, content)
  return Effect.flatMapEager(fitting, (fit) => {
    const told = {
      ...output,
      value: capped(value, Math.max(limitOf(call), leastForHooks), fit.whole),
      content: fit.content
    }
    return Effect.mapEager(stored(call, fit.whole), () => ({
      ...call,
      notes: call.tool.origin === "mcp" ? [...call.notes, ...muchOf(call.tool.name, fit.content)] : call.notes,
      settled: { _tag: "Success", output: told },
      content: fit.content,
      storedAt: fit.whole?.path
    }))
  })
}

/** What servers hand over fills a model's context before anybody looks. */
const muchOf = (tool: string, content: Content): ReadonlyArray<Note> => {
  const tokens = Math.round((typeof content === "string" ? content : texts(content)).length / charsPerToken)
  return tokens <= muchTokens ? [] : [{
    audience: "person",
    text: `the result of \`${tool}\`, of about ${tokens} tokens, goes to the model whole; MAX_MCP_OUTPUT_TOKENS says ` +
      "how many may, unless the tool's server or settings do"
  }]
}

const charsPerToken = 4
const muchTokens = 10_000

const failed = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>,
  thrown: ExecuteError
): Effect.fn.Return<RenderedCall<ExecuteError>, never, ResultStore> {
  const fit = yield* fitted(call, failureText(thrown))
  const error = fit.whole === undefined ? thrown : brief(thrown)
  yield* stored(call, fit.whole ?? keptByTool(thrown))
  return { ...call, settled: { _tag: "Failure", error }, content: fit.content, storedAt: fit.whole?.path }
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

const fitted = (call: SettledCall<ExecuteError>, content: Content): Effect.Effect<Fit, never, ResultStore> => {
  const text = typeof content === "string" ? content : texts(content)
  return text.length <= limitOf(call) ? Effect.succeed({ content }) : kept(call, content, text)
}

const kept = Effect.fnUntraced(function*(
  call: SettledCall<ExecuteError>,
  content: Content,
  text: string
): Effect.fn.Return<Fit, never, ResultStore> {
  const limit = limitOf(call)
  const store = yield* ResultStore
  const keeping = yield* Effect.result(Effect.catchDefect(store.keep(call.context, call.use.id, text), (cause) =>
    // INVARIANT: the tool has run, so that its output outlives whatever the store does.
    Effect.fail(new ResultStoreFailed({ reason: "the store itself failed", cause }))))
  const size = new TextEncoder().encode(text).length
  const shown = keeping._tag === "Success"
    ? preview({ head: text, size, path: keeping.success, limit })
    : preview({ head: text, size, path: undefined, limit, problem: keeping.failure.message })
  return {
    content: typeof content === "string"
      ? shown
      : [{ type: "text", text: shown }, ...content.filter((block) => block.type !== "text")],
    ...(keeping._tag === "Success" ? { whole: { path: keeping.success, size } } : {})
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
