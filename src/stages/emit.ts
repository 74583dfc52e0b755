/**
 * Stage 8: the one place where a call, however it ended, becomes a
 * `tool_result`.
 *
 * @since 0.1.0
 */
import type { AskedCall, ObservedCall } from "../domain/Call.ts"
import type { Outcome } from "../domain/CallEvent.ts"
import type { Note } from "../domain/Note.ts"
import type { Content, ContentBlock, ToolResult } from "../domain/ToolResult.ts"
import type { CallError } from "../errors/CallError.ts"
import { classify } from "../errors/classify.ts"
import type { ExecuteError } from "../errors/ExecuteError.ts"
import type { CallFacts } from "../services/Telemetry.ts"
import { failureText } from "./failureText.ts"
import { withNotes } from "./withNotes.ts"

/**
 * How a call got to its end: through all stages, or out of one of them.
 *
 * @category models
 * @since 0.1.0
 */
export type Ending =
  | { readonly _tag: "Observed"; readonly call: ObservedCall<ExecuteError> }
  | { readonly _tag: "Failed"; readonly error: CallError }

/**
 * What is handed out: the block for the model, how the call ended, what may be
 * told of it to anybody, and why the turn ends with it, where a hook said so.
 *
 * @category models
 * @since 0.1.0
 */
export interface Emitted {
  readonly result: ToolResult
  readonly outcome: Outcome
  readonly notes: ReadonlyArray<Note>
  readonly facts: CallFacts
  readonly endsTurn: string | undefined
}

/**
 * Makes the `tool_result` of a call. Total: it has no way to fail. `news` is
 * told with it.
 *
 * @category stages
 * @since 0.1.0
 */
export const emit = (asked: AskedCall, ending: Ending, news: ReadonlyArray<string> = []): Emitted => {
  if (ending._tag === "Failed") {
    const { error } = ending
    const notes = [...error.call.notes, ...news.map(toModel)]
    const facts = { tool: error.call.tool, outcome: outcomes[error._tag], error: errorName(error) }
    const endsTurn = error._tag === "PermissionDenied" ? error.endsTurn : undefined
    return emitted(asked, withNotes(failureText(error), forModel(notes)), true, facts, notes, endsTurn)
  }
  const { call } = ending
  const { after, settled } = call
  const said = [...call.hook.context, ...after.context]
  const notes: ReadonlyArray<Note> = [
    ...call.notes,
    ...(settled._tag === "Success" ? settled.output.notes ?? [] : []).map(toModel),
    ...said.map(toModel),
    ...news.map(toModel),
    ...after.messages.map((text): Note => ({ audience: "person", text }))
  ]
  const failed = settled._tag === "Failure"
  const facts: CallFacts = {
    tool: call.tool.name,
    outcome: failed ? "failed" : "done",
    error: failed ? errorName(settled.error) : undefined
  }
  return emitted(asked, withNotes(call.content, forModel(notes)), failed, facts, notes, after.endsTurn)
}

/** What wraps a foreign error has that one's name, which says more. */
const errorName = (error: CallError | ExecuteError): string =>
  classify("cause" in error && error.cause !== undefined ? error.cause : error)

const outcomes: { readonly [Tag in CallError["_tag"]]: Outcome } = {
  ToolNotFound: "wrong",
  InputInvalid: "wrong",
  InputRefused: "wrong",
  PermissionDenied: "denied",
  CallStopped: "stopped",
  InternalError: "internal"
}

const toModel = (text: string): Note => ({ audience: "model", text })

const emitted = (
  { use }: AskedCall,
  content: Content,
  failed: boolean,
  facts: CallFacts,
  notes: ReadonlyArray<Note>,
  endsTurn: string | undefined
): Emitted => ({
  result: {
    type: "tool_result",
    tool_use_id: use.id,
    content: wellFormed(content),
    ...(failed ? { is_error: true } : {})
  },
  outcome: facts.outcome,
  notes,
  facts,
  endsTurn
})

const forModel = (notes: ReadonlyArray<Note>): ReadonlyArray<string> =>
  notes.flatMap(({ audience, text }) => audience === "model" ? [text] : [])

/** Half a surrogate pair makes a request that the API refuses. */
const wellFormed = (content: Content): Content =>
  typeof content === "string"
    ? content.toWellFormed()
    : content.map((block): ContentBlock =>
      block.type === "text" ? { ...block, text: block.text.toWellFormed() } : block
    )
