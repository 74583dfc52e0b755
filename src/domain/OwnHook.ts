/**
 * Hooks that are a part of the application: an effect instead of a program.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { CallContext, PermissionMode } from "./CallContext.ts"
import type { HookEvent } from "./Hook.ts"

/**
 * What such a hook is told.
 *
 * **Details**
 *
 * `own` has the fields of this event alone, by the names that they have on a
 * program's standard input: `tool_response`, `error`, `reason`, `tool_calls`.
 * After a batch, `tool` and `id` are empty.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnHookCall {
  readonly event: HookEvent
  readonly id: string
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  readonly context: CallContext
  readonly mode: PermissionMode
  readonly own: { readonly [field: string]: unknown }
}

/**
 * What such a hook may say; nothing at all is no opinion.
 *
 * **Details**
 *
 * - `decision`, `reason`: before a tool, and in a person's place. After a tool,
 *   a deny tells the model that the hook objects.
 * - `input`: the whole input that is to run instead, before a tool.
 * - `output`: the value that takes the place of the tool's, after it.
 * - `context` is told to the model, `message` to a person.
 * - `endsTurn`: the whole turn ends; before a tool the call is denied.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnHookAnswer {
  readonly decision?: "allow" | "ask" | "deny"
  readonly reason?: string
  readonly input?: { readonly [key: string]: unknown }
  readonly output?: unknown
  readonly context?: string
  readonly message?: string
  readonly endsTurn?: boolean
}

/**
 * A hook of the application's own.
 *
 * **Details**
 *
 * `matcher`, `if`, `timeout` (seconds), `onFailure` and `once` mean what they do
 * in settings. An effect that fails or dies is a hook that has not decided. It
 * stands after the hooks of all settings in the order of configuration.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnHook<R = never> {
  readonly name: string
  readonly event: HookEvent
  readonly matcher?: string
  readonly if?: string
  readonly timeout?: number
  readonly onFailure?: "block" | "continue"
  readonly once?: boolean
  readonly run: (call: OwnHookCall) => Effect.Effect<OwnHookAnswer | void, unknown, R>
}

/**
 * What a hook needs.
 *
 * @category utility types
 * @since 0.1.0
 */
export type HookServicesOf<H> = H extends OwnHook<infer R> ? R : never
