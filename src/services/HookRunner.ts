/**
 * Service boundary for hooks. A hook's fault is data in what comes back; running
 * hooks never fails.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallContext, PermissionMode } from "../domain/CallContext.ts"
import type { HookOutcome, PermissionRequestOutcome, PostHookOutcome } from "../domain/Hook.ts"
import type { Policy } from "../domain/Policy.ts"

/**
 * What every hook is told of a call.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookCall {
  readonly id: string
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  readonly context: CallContext
  readonly mode: PermissionMode
  readonly policy: Policy
}

/**
 * What hooks are told of the calls of one message, once all of them have ended.
 * `response` is the text that the model reads.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookBatch {
  readonly context: CallContext
  readonly mode: PermissionMode
  readonly policy: Policy
  readonly calls: ReadonlyArray<{
    readonly id: string
    readonly tool: string
    readonly input: unknown
    readonly response: string
  }>
}

/**
 * Service that runs the hooks that are configured for an event.
 *
 * @category services
 * @since 0.1.0
 */
export class HookRunner extends Context.Service<HookRunner, {
  /** Runs all hooks that match before a tool, at once, and merges what they say. */
  readonly preToolUse: (call: HookCall) => Effect.Effect<HookOutcome>
  /** Asks hooks in place of a person. */
  readonly permissionRequest: (
    call: HookCall,
    suggestions: ReadonlyArray<string>
  ) => Effect.Effect<PermissionRequestOutcome>
  /** Tells hooks that a call was denied, and why. */
  readonly permissionDenied: (call: HookCall, reason: string) => Effect.Effect<void>
  /** Shows hooks the structured value of a tool that did its work. */
  readonly postToolUse: (
    call: HookCall,
    response: unknown,
    durationMillis: number
  ) => Effect.Effect<PostHookOutcome>
  /** Shows hooks the error of a tool that did not. */
  readonly postToolUseFailure: (
    call: HookCall,
    error: string,
    durationMillis: number
  ) => Effect.Effect<PostHookOutcome>
  /** Shows hooks all the calls of one message at once, before the model hears of them. */
  readonly postToolBatch: (batch: HookBatch) => Effect.Effect<PostHookOutcome>
}>()("toolgate/services/HookRunner") {}
