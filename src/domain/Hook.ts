/**
 * Hooks: what settings configure, and what hooks had to say of a call.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { RuleSource } from "./Rule.ts"

/**
 * Schema for the events that hooks listen to. Names are case-sensitive.
 *
 * @category models
 * @since 0.1.0
 */
export const HookEvent = Schema.Literals([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolBatch"
])

/**
 * @category models
 * @since 0.1.0
 */
export type HookEvent = typeof HookEvent.Type

const shared = {
  if: Schema.optionalKey(Schema.String),
  timeout: Schema.optionalKey(Schema.Finite),
  statusMessage: Schema.optionalKey(Schema.String),
  once: Schema.optionalKey(Schema.Boolean),
  onFailure: Schema.optionalKey(Schema.Literals(["block", "continue"]))
}

/**
 * Schema for a hook that is a program, as settings spell it.
 *
 * **Details**
 *
 * `timeout` is in seconds. One that is `async` is started and not waited for: it
 * decides nothing, and what it says is told with a later call of the session.
 *
 * @category models
 * @since 0.1.0
 */
export const CommandHook = Schema.Struct({
  type: Schema.Literal("command"),
  command: Schema.String,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  async: Schema.optionalKey(Schema.Boolean),
  ...shared
})

/**
 * @category models
 * @since 0.1.0
 */
export type CommandHook = typeof CommandHook.Type

/**
 * Schema for a hook that is an address: it gets by POST what a program reads on
 * its standard input, and answers with what a program would print.
 *
 * **Details**
 *
 * `$NAME` and `${NAME}` in headers stand for variables of the environment, for
 * those alone that `allowedEnvVars` names; any other is left empty.
 *
 * @category models
 * @since 0.1.0
 */
export const HttpHook = Schema.Struct({
  type: Schema.Literal("http"),
  url: Schema.String,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  allowedEnvVars: Schema.optionalKey(Schema.Array(Schema.String)),
  ...shared
})

/**
 * @category models
 * @since 0.1.0
 */
export type HttpHook = typeof HttpHook.Type

/**
 * Schema for a hook that is a question to a language model. `$ARGUMENTS` in the
 * prompt stands for what a program would read on its standard input.
 *
 * **Details**
 *
 * An answer that is not ok denies and ends the turn, unless `continueOnBlock`
 * says that the model may go on.
 *
 * @category models
 * @since 0.1.0
 */
export const PromptHook = Schema.Struct({
  type: Schema.Literal("prompt"),
  prompt: Schema.String,
  model: Schema.optionalKey(Schema.String),
  continueOnBlock: Schema.optionalKey(Schema.Boolean),
  ...shared
})

/**
 * @category models
 * @since 0.1.0
 */
export type PromptHook = typeof PromptHook.Type

/**
 * Schema for a hook that is a part of the application, known by its name.
 *
 * @category models
 * @since 0.1.0
 */
export const InProcessHook = Schema.Struct({
  type: Schema.Literal("in-process"),
  name: Schema.String,
  ...shared
})

/**
 * @category models
 * @since 0.1.0
 */
export type InProcessHook = typeof InProcessHook.Type

/**
 * Schema for a hook that is not run, for its kind or since it can't be read, as
 * `problem` then says. It can't decide, so that before a tool it counts as a hook
 * that failed to, unless its `onFailure` says otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export const UnsupportedHook = Schema.Struct({
  type: Schema.Literals(["agent", "mcp_tool", "unknown"]),
  problem: Schema.optionalKey(Schema.String),
  ...shared
})

/**
 * @category models
 * @since 0.1.0
 */
export type UnsupportedHook = typeof UnsupportedHook.Type

/**
 * Schema for one hook.
 *
 * @category models
 * @since 0.1.0
 */
export const Hook = Schema.Union([CommandHook, HttpHook, PromptHook, InProcessHook, UnsupportedHook])

/**
 * @category models
 * @since 0.1.0
 */
export type Hook = typeof Hook.Type

/**
 * Schema for one hook in force: what it listens to, where it was configured,
 * and its place in the order of configuration.
 *
 * @category models
 * @since 0.1.0
 */
export const HookEntry = Schema.Struct({
  event: HookEvent,
  matcher: Schema.String,
  hook: Hook,
  source: RuleSource,
  file: Schema.optionalKey(Schema.String),
  line: Schema.optionalKey(Schema.Int),
  column: Schema.optionalKey(Schema.Int),
  order: Schema.Int
})

/**
 * @category models
 * @since 0.1.0
 */
export type HookEntry = typeof HookEntry.Type

/**
 * Schema for what one hook did, for the trace.
 *
 * **Details**
 *
 * `fault` says how it failed to decide; `stderr` is cut to what a person reads.
 *
 * @category models
 * @since 0.1.0
 */
export const HookRun = Schema.Struct({
  name: Schema.String,
  source: RuleSource,
  decision: Schema.Literals(["none", "allow", "ask", "deny"]),
  reason: Schema.optionalKey(Schema.String),
  fault: Schema.optionalKey(Schema.String),
  stderr: Schema.optionalKey(Schema.String),
  durationMillis: Schema.Finite
})

/**
 * @category models
 * @since 0.1.0
 */
export type HookRun = typeof HookRun.Type

/**
 * What the hooks that ran before a tool decided together: deny over ask over
 * allow, whichever finished first.
 *
 * **Details**
 *
 * - `decision`, `reason`, `source`, `name`: of the hook that decided. Of several
 *   that allow, one that `policySettings` configured speaks.
 * - `allowsInput`: for an allow, whether the input that will run is the one that
 *   this hook saw or itself produced.
 * - `rewritten`: the input that will run instead, when hooks changed it.
 * - `endsTurn`: why the whole turn ends, when a hook said that it does.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookOutcome {
  readonly decision: "none" | "allow" | "ask" | "deny"
  readonly reason: string | undefined
  readonly source: RuleSource | undefined
  readonly name: string | undefined
  readonly allowsInput: boolean
  readonly rewritten: { readonly [key: string]: unknown } | undefined
  readonly endsTurn: string | undefined
  readonly runs: ReadonlyArray<HookRun>
  readonly context: ReadonlyArray<string>
  readonly messages: ReadonlyArray<string>
}

/**
 * The outcome when no hook had anything to say.
 *
 * @category constants
 * @since 0.1.0
 */
export const silent: HookOutcome = {
  decision: "none",
  reason: undefined,
  source: undefined,
  name: undefined,
  allowsInput: false,
  rewritten: undefined,
  endsTurn: undefined,
  runs: [],
  context: [],
  messages: []
}

/**
 * What hooks had to say after a tool ran.
 *
 * **Details**
 *
 * `context` is told to the model beside the result; `replacement` takes the
 * place of the tool's structured value; `endsTurn` says why the whole turn ends,
 * when a hook said that it does.
 *
 * @category models
 * @since 0.1.0
 */
export interface PostHookOutcome {
  readonly context: ReadonlyArray<string>
  readonly messages: ReadonlyArray<string>
  readonly replacement: { readonly value: unknown } | undefined
  readonly endsTurn: string | undefined
  readonly runs: ReadonlyArray<HookRun>
}

/**
 * The outcome when no hook listened.
 *
 * @category constants
 * @since 0.1.0
 */
export const nothingAfter: PostHookOutcome = {
  context: [],
  messages: [],
  replacement: undefined,
  endsTurn: undefined,
  runs: []
}

/**
 * How the answer of the `PermissionRequest` hooks reads, with what became of
 * each and what they tell a person. `endsTurn` says why the whole turn ends with a
 * denial, when a hook said that it does.
 *
 * @category models
 * @since 0.1.0
 */
export type PermissionRequestOutcome =
  & {
    readonly runs?: ReadonlyArray<HookRun>
    readonly messages?: ReadonlyArray<string>
  }
  & (
    | { readonly _tag: "NoAnswer" }
    | { readonly _tag: "Allowed"; readonly name: string }
    | {
      readonly _tag: "Denied"
      readonly name: string
      readonly message: string | undefined
      readonly endsTurn?: string
    }
  )
