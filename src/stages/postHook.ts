/**
 * Stage 7: shows hooks how the tool ended and takes what they have to say.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ObservedCall, RenderedCall } from "../domain/Call.ts"
import type { PostHookOutcome } from "../domain/Hook.ts"
import { modeOf } from "../domain/Policy.ts"
import type { ExecuteError } from "../errors/ExecuteError.ts"
import { type HookCall, HookRunner } from "../services/HookRunner.ts"
import type { ResultStore } from "../services/ResultStore.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { failureText } from "./failureText.ts"
import { result } from "./result.ts"

/**
 * Runs the hooks after a tool: `PostToolUse` when it did its work,
 * `PostToolUseFailure` when it did not.
 *
 * **Details**
 *
 * A hook that replaces the value makes the result anew from it, by the same
 * rules of size.
 *
 * @category stages
 * @since 0.1.0
 */
export const postHook = Effect.fnUntraced(function*(
  call: RenderedCall<ExecuteError>
): Effect.fn.Return<ObservedCall<ExecuteError>, never, HookRunner | ResultStore | RuleSources> {
  const hooks = yield* HookRunner
  const policy = yield* (yield* RuleSources).policy(call.context)
  const told: HookCall = {
    id: call.use.id,
    tool: call.tool.name,
    input: call.invocation.input,
    context: call.context,
    mode: modeOf(policy, call.context),
    policy
  }
  const after: PostHookOutcome = call.settled._tag === "Success"
    ? yield* hooks.postToolUse(told, call.settled.output.value, call.durationMillis)
    : yield* hooks.postToolUseFailure(told, failureText(call.settled.error), call.durationMillis)

  if (after.replacement === undefined || call.settled._tag === "Failure") return { ...call, after }
  const { value } = after.replacement
  const replaced = yield* result({
    ...call,
    settled: { _tag: "Success", output: { value, content: typeof value === "string" ? value : JSON.stringify(value) } }
  })
  return { ...replaced, after }
})
