/**
 * What follows once all calls of one message have ended: hooks see them at once,
 * before the model hears of any.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"
import { modeOf } from "../domain/Policy.ts"
import * as ToolResult from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { CallEvents } from "../services/CallEvents.ts"
import { HookRunner } from "../services/HookRunner.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { withNotes } from "./withNotes.ts"

/**
 * A call that has ended, and what it ended with.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedCall {
  readonly use: ToolUse
  readonly tool: string
  readonly result: ToolResult.ToolResult
}

/**
 * Shows hooks the calls of a message. What they tell the model stands in the last
 * result.
 *
 * @category stages
 * @since 0.1.0
 */
export const batchHook = Effect.fnUntraced(function*(
  calls: ReadonlyArray<EndedCall>,
  context: CallContext
): Effect.fn.Return<ReadonlyArray<ToolResult.ToolResult>, never, HookRunner | RuleSources> {
  const results = calls.map(({ result }) => result)
  const last = results.at(-1)
  if (last === undefined) return results
  const hooks = yield* HookRunner
  const policy = yield* (yield* RuleSources).policy(context)
  const after = yield* hooks.postToolBatch({
    context,
    mode: modeOf(policy, context),
    policy,
    calls: calls.map(({ result, tool, use }) => ({
      id: use.id,
      tool,
      input: use.input,
      response: ToolResult.textOf(result.content)
    }))
  })
  const publish = yield* CallEvents
  for (const text of after.messages) {
    yield* publish({ _tag: "Noted", id: last.tool_use_id, note: { audience: "person", text } })
  }
  for (const text of after.context) {
    yield* publish({ _tag: "Noted", id: last.tool_use_id, note: { audience: "model", text } })
  }
  if (after.endsTurn !== undefined) yield* publish({ _tag: "TurnEnded", id: last.tool_use_id, reason: after.endsTurn })
  return after.context.length === 0 ? results : [
    ...results.slice(0, -1),
    { ...last, content: withNotes(last.content, after.context.map((text) => text.toWellFormed())) }
  ]
})
