/**
 * Being the hook of another program: what such a hook reads and writes.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Verdict } from "../domain/Decision.ts"

/**
 * Schema for what a PreToolUse hook reads on its standard input, as far as a
 * decision needs it. All paths are absolute.
 *
 * @category models
 * @since 0.1.0
 */
export const HookRequest = Schema.Struct({
  hook_event_name: Schema.Literal("PreToolUse"),
  tool_name: Schema.NonEmptyString,
  tool_input: Schema.Record(Schema.String, Schema.Unknown),
  cwd: Schema.NonEmptyString,
  tool_use_id: Schema.optionalKey(Schema.NonEmptyString),
  session_id: Schema.optionalKey(Schema.NonEmptyString),
  permission_mode: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type HookRequest = typeof HookRequest.Type

/**
 * Schema for what the hook answers: a decision, or nothing where it has no
 * opinion, so that the program that asked goes its own way.
 *
 * @category models
 * @since 0.1.0
 */
export const HookReply = Schema.Struct({
  hookSpecificOutput: Schema.optionalKey(Schema.Struct({
    hookEventName: Schema.Literal("PreToolUse"),
    permissionDecision: Verdict,
    permissionDecisionReason: Schema.String
  }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type HookReply = typeof HookReply.Type

/**
 * Makes the answer of a hook that decided.
 *
 * @category constructors
 * @since 0.1.0
 */
export const decided = (verdict: Verdict, reason: string): HookReply => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: verdict,
    permissionDecisionReason: reason
  }
})
