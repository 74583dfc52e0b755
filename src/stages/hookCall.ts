/**
 * What hooks are told of a call.
 *
 * @since 0.1.0
 */
import type { ValidCall } from "../domain/Call.ts"
import { modeOf, type Policy } from "../domain/Policy.ts"
import type { HookCall } from "../services/HookRunner.ts"

/**
 * Returns a call as hooks are told of it, under a policy.
 *
 * @category constructors
 * @since 0.1.0
 */
export const hookCall = (
  { context, invocation, tool, use }: Pick<ValidCall, "context" | "invocation" | "tool" | "use">,
  policy: Policy
): HookCall => ({
  id: use.id,
  tool: tool.name,
  input: invocation.input,
  context,
  mode: modeOf(policy, context),
  policy
})
