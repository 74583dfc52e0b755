/**
 * The shapes that a call takes on its way: each stage's output is the next
 * stage's input, so that skipping one does not compile.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { CallContext } from "./CallContext.ts"
import type { ClassifierVerdict } from "./ClassifierVerdict.ts"
import type { Decision } from "./Decision.ts"
import type { HookOutcome, PostHookOutcome } from "./Hook.ts"
import type { Note } from "./Note.ts"
import type { Policy } from "./Policy.ts"
import type { Invocation, Output, Tool, Tools } from "./Tool.ts"
import type { Content } from "./ToolResult.ts"
import type { ToolUse } from "./ToolUse.ts"
import type { Watch } from "./Watch.ts"

/**
 * A call as it comes in. `tools` is for a tool that calls others; `parent` is the
 * call whose tool made this one so; `watch` is told how the call goes on.
 *
 * @category models
 * @since 0.1.0
 */
export interface AskedCall {
  readonly use: ToolUse
  readonly context: CallContext
  readonly tools?: Tools
  readonly parent?: string
  readonly watch?: Watch | undefined
}

/**
 * What every error carries of the call that it ended.
 *
 * @category models
 * @since 0.1.0
 */
export interface CallSoFar extends AskedCall {
  readonly notes: ReadonlyArray<Note>
  readonly tool?: string
  readonly decision?: Decision
}

/**
 * A call whose tool is known.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundCall extends AskedCall {
  readonly tool: Tool
  readonly notes: ReadonlyArray<Note>
}

/**
 * A call whose input has the right shape. `ask` is there when the tool wants a
 * person to look at this input.
 *
 * @category models
 * @since 0.1.0
 */
export interface ValidCall extends FoundCall {
  readonly invocation: Invocation
  readonly ask: string | undefined
}

/**
 * A call that hooks have seen.
 *
 * **Details**
 *
 * `invocation` is the input that will run; `original` is the one that was asked
 * for, when a hook changed it. `pending` is the classifier that was started
 * beside the hooks: waiting for it gives its opinion, or nothing. `drop` ends it
 * once something else has decided, without waiting until it is gone. `policy` is
 * there when no hook ran, so that it is as good as new.
 *
 * @category models
 * @since 0.1.0
 */
export interface ScreenedCall extends ValidCall {
  readonly hook: HookOutcome
  readonly original: { readonly invocation: Invocation; readonly ask: string | undefined } | undefined
  readonly pending: Effect.Effect<ClassifierVerdict | undefined>
  readonly drop?: Effect.Effect<void>
  readonly policy?: Policy
}

/**
 * How running the tool ended.
 *
 * @category models
 * @since 0.1.0
 */
export type Settlement<E> =
  | { readonly _tag: "Success"; readonly output: Output }
  | { readonly _tag: "Failure"; readonly error: E }

/**
 * A call that ran, on top of the shape that was permitted. `policy` is the one
 * that it was decided by.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettledCall<E> extends ScreenedCall {
  readonly decision: Decision
  readonly policy?: Policy
  readonly settled: Settlement<E>
  readonly durationMillis: number
}

/**
 * A call whose result has the form in which the model gets it. `storedAt` is
 * the file that holds the whole of a result too long to hand over.
 *
 * @category models
 * @since 0.1.0
 */
export interface RenderedCall<E> extends SettledCall<E> {
  readonly content: Content
  readonly storedAt: string | undefined
}

/**
 * A call that post hooks have seen.
 *
 * @category models
 * @since 0.1.0
 */
export interface ObservedCall<E> extends RenderedCall<E> {
  readonly after: PostHookOutcome
}
