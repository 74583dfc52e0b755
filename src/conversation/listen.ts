/**
 * One answer of a model, heard while its calls already run.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ConversationEvent, Usage } from "../domain/ConversationEvent.ts"
import type { Block } from "../domain/Message.ts"
import type { ToolResult } from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { classify } from "../errors/classify.ts"
import { ModelFailed } from "../errors/ModelError.ts"
import { Pipeline, type RunOptions } from "../pipeline.ts"
import { ChatModel, ChatPart, type ChatRequest, type StopReason } from "../services/ChatModel.ts"
import { standing } from "./standing.ts"

/**
 * What is listened for.
 *
 * **Details**
 *
 * `known` are the ids of calls that the history has already; `stopped` succeeds
 * once somebody wants to hear no more.
 *
 * @category models
 * @since 0.1.0
 */
export interface Listening {
  readonly turn: number
  readonly request: ChatRequest
  readonly context: NonNullable<RunOptions["context"]>
  readonly known: ReadonlySet<string>
  readonly stopped: Effect.Effect<"cancelled" | "interrupted">
  readonly publish: (event: ConversationEvent) => Effect.Effect<void>
}

/**
 * What was heard: blocks that may stand in a history, one result for each call
 * among them, in order, and how it ended.
 *
 * @category models
 * @since 0.1.0
 */
export interface Heard {
  readonly content: ReadonlyArray<Block>
  readonly results: ReadonlyArray<ToolResult>
  readonly text: string
  readonly usage: Usage | undefined
  readonly end:
    | { readonly _tag: "Ended"; readonly stop: StopReason }
    | { readonly _tag: "Stopped" }
    | { readonly _tag: "Broken"; readonly error: ModelFailed }
}

/**
 * Asks a model once and runs what it asks for, each call as soon as it is whole.
 *
 * **Details**
 *
 * However the answer ends, what has begun is seen through, or stopped where
 * somebody stopped all of it, and every call that is kept has its result.
 *
 * @category running
 * @since 0.1.0
 */
export const listen = Effect.fnUntraced(function*(
  { context, known, publish, request, stopped, turn }: Listening
): Effect.fn.Return<Heard, never, ChatModel | Pipeline | Scope.Scope> {
  const model = yield* ChatModel
  const batch = yield* (yield* Pipeline).batch({ context, cancel: stopped })
  const blocks: Array<Block> = []
  const uses: Array<{ readonly use: ToolUse; readonly cutOff: boolean }> = []
  let unfinished = ""
  let gap = ""
  let usage: Usage | undefined
  let stop: StopReason | undefined

  const take = Effect.fnUntraced(function*(part: ChatPart): Effect.fn.Return<void, ModelFailed> {
    // A model can be anybody's, in a program that no compiler looks at.
    if (!isPart(part)) return yield* unreadable(new Error("it came with a part that is no `ChatPart`"))
    switch (part._tag) {
      case "Text":
        unfinished += part.text
        yield* publish({ _tag: "ModelSaid", turn, text: `${gap}${part.text}` })
        gap = ""
        return
      case "Block": {
        const { block, cutOff = false, use } = part
        if (use !== undefined) {
          if (known.has(use.id) || uses.some((other) => other.use.id === use.id)) return yield* twice(use)
          if (!cutOff) yield* Effect.mapError(batch.add(use), unreadable)
          uses.push({ use, cutOff })
        }
        blocks.push(block)
        if (block.type === "text") unfinished = ""
        else if (textOf(blocks) !== "") gap = paragraph
        return
      }
      case "Spent":
        usage = part.usage
        return
      case "Ended":
        stop = part.stop
    }
  })

  const heard = yield* Effect.raceFirst(
    Effect.as(stopped, "stopped" as const),
    Effect.result(
      Effect.catchCauseIf(Stream.runForEach(Stream.suspend(() => model.answer(request)), take), isFault, faulty)
    )
  )
  const end: Heard["end"] = heard === "stopped"
    ? { _tag: "Stopped" }
    : Result.isFailure(heard)
    ? { _tag: "Broken", error: heard.failure }
    : stop === undefined
    ? { _tag: "Broken", error: new ModelFailed({ reason: "cut", retryable: true }) }
    : { _tag: "Ended", stop }

  const content = standing(
    unfinished === "" ? blocks : [...blocks, { type: "text", text: unfinished }],
    end._tag === "Ended" && end.stop !== "refusal" && end.stop !== "cutOff"
  )
  const text = textOf(content)
  if (end._tag === "Ended" || uses.length > 0) {
    yield* publish({
      _tag: "ModelAnswered",
      turn,
      text,
      uses: uses.map(({ use }) => use),
      ...(usage === undefined ? {} : { usage })
    })
  }
  const unrun = uses.flatMap(({ cutOff, use }) => cutOff ? [use] : [])
  for (const use of unrun) {
    yield* publish({ _tag: "Received", id: use.id, use })
    yield* publish({ _tag: "Finished", id: use.id, outcome: "wrong", result: tooLong(use) })
  }
  const ran = new Map((yield* batch.end).map((result) => [result.tool_use_id, result]))
  return { content, results: uses.map(({ use }) => ran.get(use.id) ?? tooLong(use)), text, usage, end }
})

const isPart = Schema.is(ChatPart)

const isFault = (cause: Cause.Cause<ModelFailed>): boolean => Result.isFailure(Cause.findError(cause))

// INVARIANT: calls may have run. Whatever goes wrong with the model, what they did is told.
const faulty = (cause: Cause.Cause<ModelFailed>): Effect.Effect<never, ModelFailed> =>
  Effect.andThen(
    Effect.logError("asking the model failed", classify(Cause.squash(cause))),
    new ModelFailed({ reason: "unreadable", detail: "for a fault of ours", retryable: false })
  )

const paragraph = "\n\n"

/** Text that something stands between is no one sentence; text in pieces, as between citations, is. */
const textOf = (content: ReadonlyArray<Block>): string =>
  content.map((block) => block.type === "text" && typeof block["text"] === "string" ? block["text"] : undefined)
    .reduce<string>((said, text, at, all) => {
      if (text === undefined) return said
      return said !== "" && at > 0 && all[at - 1] === undefined ? `${said}${paragraph}${text}` : `${said}${text}`
    }, "")

const tooLong = ({ id }: ToolUse): ToolResult => ({
  type: "tool_result",
  tool_use_id: id,
  content: "<tool_use_error>Your answer reached its limit of length in the middle of this call, so it was not run. " +
    "Make the call again with less in it, in several parts if need be.</tool_use_error>",
  is_error: true
})

const unreadable = ({ message }: Error): ModelFailed =>
  new ModelFailed({ reason: "unreadable", detail: message, retryable: false })

const twice = ({ id }: ToolUse): ModelFailed => unreadable(new Error(`two calls have the id \`${id}\``))
