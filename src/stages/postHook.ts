/**
 * Stage 7: shows hooks how the tool ended and takes what they have to say.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ObservedCall, RenderedCall } from "../domain/Call.ts"
import { nothingAfter, type PostHookOutcome } from "../domain/Hook.ts"
import type { Policy } from "../domain/Policy.ts"
import { asText } from "../domain/Tool.ts"
import { Content, ContentBlock, textOf } from "../domain/ToolResult.ts"
import { classify } from "../errors/classify.ts"
import type { ExecuteError } from "../errors/ExecuteError.ts"
import { HookRunner } from "../services/HookRunner.ts"
import type { ResultStore } from "../services/ResultStore.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { failureText } from "./failureText.ts"
import { hookCall } from "./hookCall.ts"
import { inFormOf } from "./inFormOf.ts"
import { result } from "./result.ts"

/**
 * Runs the hooks after a tool: `PostToolUse` when it did its work,
 * `PostToolUseFailure` when it did not.
 *
 * **Details**
 *
 * A hook that replaces the value makes the result anew from it, by the same
 * rules of size: as the tool would where it has the form of the tool's own, else
 * as JSON.
 *
 * @category stages
 * @since 0.1.0
 */
export const postHook = (
  call: RenderedCall<ExecuteError>,
  services: Context.Context<HookRunner | RuleSources>
): Effect.Effect<ObservedCall<ExecuteError>, never, ResultStore> => {
  const { context, policy, settled } = call
  const known = policy === undefined ? Context.get(services, RuleSources).policy(context) : Effect.succeed(policy)
  return Effect.flatMapEager(
    Effect.flatMapEager(known, (policy) => shown(call, policy, Context.get(services, HookRunner))),
    (after) => {
      if (after.replacement === undefined || settled._tag === "Failure") return Effect.succeed({ ...call, after })
      const { value } = after.replacement
      if (isSame(value, settled.output.value)) return Effect.succeed({ ...call, after })
      const output = { value, content: renderedLike(call, settled.output.value, value) ?? contentOf(value) }
      const replaced = result({ ...call, settled: { _tag: "Success", output } })
      return Effect.mapEager(replaced, (rendered) => ({ ...rendered, after }))
    }
  )
}

const shown = (
  call: RenderedCall<ExecuteError>,
  policy: Policy,
  hooks: HookRunner["Service"]
): Effect.Effect<PostHookOutcome> => {
  const told = hookCall(call, policy)
  const { settled } = call
  // A clock that was set back meanwhile makes no call shorter than nothing.
  const durationMillis = Math.max(0, call.durationMillis)
  const after = settled._tag === "Success"
    ? hooks.postToolUse(told, settled.output.value, durationMillis)
    : hooks.postToolUseFailure(told, errorText(call, settled.error), durationMillis)
  return Exit.isExit(after) && Exit.isSuccess(after) ? after : Effect.catchDefect(after, faulty)
}

/** What is in the store is not told once more, only where it is. */
const errorText = ({ content, storedAt }: RenderedCall<ExecuteError>, error: ExecuteError): string =>
  storedAt === undefined ? failureText(error) : textOf(content)

// INVARIANT: the tool has run. Whatever goes wrong with those who only look at it, its result is told.
const faulty = (defect: unknown): Effect.Effect<PostHookOutcome> =>
  Effect.as(Effect.logError("running post hooks failed", classify(defect)), {
    ...nothingAfter,
    messages: ["the hooks after this tool could not be run, for a fault of ours"]
  })

/** A hook that passes on what it was told, as JSON, replaces nothing. */
const isSame = (value: unknown, before: unknown): boolean =>
  Result.getOrElse(Result.try(() => JSON.stringify(value) === JSON.stringify(before)), () => false)

const isContent = Schema.is(Content)

/** What was cut for hooks to see it is no whole value of the tool's. */
const renderedLike = (
  { invocation: { render }, storedAt }: RenderedCall<ExecuteError>,
  before: unknown,
  value: unknown
): Content | undefined => {
  if (render === undefined || storedAt !== undefined) return undefined
  const fitted = inFormOf(value, before)
  if (fitted === undefined) return undefined
  const rendered = Result.getOrUndefined(Result.try(() => render(fitted.value)))
  return isContent(rendered) ? rendered : undefined
}

const isBlocks = Schema.is(Schema.NonEmptyArray(ContentBlock))

/** Hooks replace a server's content by content of the same form. */
const contentOf = (value: unknown): Content => {
  if (isBlocks(value)) return value
  if (Predicate.hasProperty(value, "content") && isBlocks(value.content)) return value.content
  const text = Result.try(() => asText(value))
  return Result.getOrUndefined(text) ?? ""
}
