/**
 * Layers that provide `HookRunner`.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { effectOf } from "../domain/effectOf.ts"
import {
  type HookEntry,
  type HookEvent,
  type HookOutcome,
  nothingAfter,
  type PostHookOutcome,
  silent
} from "../domain/Hook.ts"
import type { HookServicesOf, OwnHook } from "../domain/OwnHook.ts"
import { type HookBatch, type HookCall, HookRunner } from "../services/HookRunner.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { SessionStore } from "../services/SessionStore.ts"
import * as Background from "./hooks/Background.ts"
import { asUpdates, withoutMiddle } from "./hooks/hookInput.ts"
import { type HookCommand, type HookEnd, runHook } from "./hooks/HookProcess.ts"
import { mergeBefore } from "./hooks/mergeBefore.ts"
import * as Once from "./hooks/Once.ts"
import { mergeAfter, mergeAnswers } from "./hooks/readAfter.ts"
import { readBefore } from "./hooks/readBefore.ts"
import { type Means, runHooks } from "./hooks/runHooks.ts"
import { selectHooks } from "./hooks/selectHooks.ts"
import { lazyModel } from "./lazyModel.ts"

/**
 * What hooks are run with, beside what settings configure.
 *
 * **Details**
 *
 * - `hooks`: hooks of the application's own.
 * - `languageModel`: who answers hooks that are prompts, made when the first one
 *   is asked; left out, the `LanguageModel` that the application provides, if it
 *   does.
 * - `run`: runs command hooks in another way than as processes.
 *
 * A client for HTTP that the application provides is used for hooks over HTTP,
 * and a `SessionStore` to remember which hooks of a session ran `once`.
 *
 * @category options
 * @since 0.1.0
 */
export interface HookOptions<H extends OwnHook<unknown> = OwnHook> {
  readonly hooks?: ReadonlyArray<H> | undefined
  readonly languageModel?: Layer.Layer<LanguageModel> | undefined
  readonly run?: ((command: HookCommand) => Effect.Effect<HookEnd>) | undefined
}

/**
 * Layer that runs hooks of every kind, all that match at once.
 *
 * **Details**
 *
 * Command hooks are processes: they start in the call's working directory with
 * `CLAUDE_PROJECT_DIR` set, in Bash, or without any shell when they have `args`.
 * What hooks decide depends on what they say and on the order of configuration,
 * never on who is first.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerWith = <H extends OwnHook<unknown> = OwnHook>(
  options: HookOptions<H> = {}
): Layer.Layer<HookRunner, never, HookServicesOf<H> | PathResolver> =>
  // What each hook needs is among what all of them need.
  Layer.effect(HookRunner, make(options as HookOptions<OwnHook<HookServicesOf<H>>>))

/**
 * Layer that runs hooks with nothing of an application's own.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerCommands: Layer.Layer<HookRunner, never, PathResolver> = Layer.suspend(() => layerWith())

/**
 * Layer that runs command hooks by an effect of your own.
 *
 * **When to use**
 *
 * Use to start hooks somewhere else than on this machine, and in tests.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRunning = (
  run: (command: HookCommand) => Effect.Effect<HookEnd>
): Layer.Layer<HookRunner, never, PathResolver> => layerWith({ run })

const make = Effect.fnUntraced(function*<R>({ hooks = [], languageModel, run = runHook }: HookOptions<OwnHook<R>>) {
  const needs = yield* Effect.context<R>()
  const services = yield* Effect.context<never>()
  const own = hooks.map((hook, at) =>
    entryOf(hook, at, hooks.slice(0, at).filter(({ name }) => name === hook.name).length, needs)
  )
  const ownEntries = own.map(({ entry }) => entry)
  const means: Means = {
    run,
    own: new Map(own.map(({ entry, hook }) => [entry.hook.name, hook])),
    model: yield* lazyModel(languageModel),
    models: yield* Semaphore.make(12),
    services,
    paths: yield* PathResolver,
    background: yield* Background.make,
    once: Once.make(Option.getOrUndefined(Context.getOption(services, SessionStore)))
  }
  const select = (event: HookEvent, call: HookCall) => selectHooks(event, call, ownEntries)

  const before = (call: HookCall): Effect.Effect<HookOutcome> => {
    const { entries, problems } = select("PreToolUse", call)
    const { session } = call.context
    if (entries.length === 0 && !means.background.waits(session)) return Effect.succeed(silent)
    return Effect.map(runHooks(means, "PreToolUse", call, entries, {}), (results) => {
      const outcome = mergeBefore(results.map(readBefore), call.input)
      return withLetter(session, { ...outcome, messages: [...problems, ...outcome.messages] })
    })
  }

  const after = (
    event: "PostToolUse" | "PostToolUseFailure" | "PostToolBatch",
    call: HookCall,
    fields: { readonly [field: string]: unknown }
  ): Effect.Effect<PostHookOutcome> => {
    const { entries, problems } = select(event, call)
    const { session } = call.context
    if (entries.length === 0 && !means.background.waits(session)) return Effect.succeed(nothingAfter)
    return Effect.map(runHooks(means, event, call, entries, fields), (results) => {
      const outcome = mergeAfter(event, results, call.tool)
      return withLetter(session, { ...outcome, messages: [...problems, ...outcome.messages] })
    })
  }

  /** Adds what hooks in the background said since the last call of the session. */
  const withLetter = <A extends HookOutcome | PostHookOutcome>(session: string, outcome: A): A => {
    const letter = means.background.collect(session)
    return letter === undefined ? outcome : {
      ...outcome,
      context: [...letter.context, ...outcome.context],
      messages: [...letter.messages, ...outcome.messages]
    }
  }

  return HookRunner.of({
    preToolUse: before,
    permissionRequest: (call, suggestions) => {
      const { entries, problems } = select("PermissionRequest", call)
      if (entries.length === 0) return Effect.succeed({ _tag: "NoAnswer" })
      return Effect.map(
        runHooks(means, "PermissionRequest", call, entries, { permission_suggestions: asUpdates(suggestions) }),
        (results) => mergeAnswers(results, problems)
      )
    },
    permissionDenied: (call, reason) => {
      const { entries } = select("PermissionDenied", call)
      if (entries.length === 0) return Effect.void
      return Effect.asVoid(runHooks(means, "PermissionDenied", call, entries, { reason }))
    },
    postToolUse: (call, response, durationMillis) =>
      after("PostToolUse", call, { tool_response: response ?? null, duration_ms: durationMillis }),
    postToolUseFailure: (call, error, durationMillis) =>
      after("PostToolUseFailure", call, {
        error: withoutMiddle(error),
        is_interrupt: false,
        duration_ms: durationMillis
      }),
    postToolBatch: (batch) => after("PostToolBatch", asCall(batch), { tool_calls: toldOf(batch) })
  })
})

/** Names may be given twice: a number tells them apart. */
const entryOf = <R>(
  { event, matcher = "", name, run, ...given }: OwnHook<R>,
  at: number,
  namesakes: number,
  needs: Context.Context<R>
): {
  readonly entry: HookEntry & { readonly hook: { readonly type: "in-process" } }
  readonly hook: OwnHook
} => {
  const { if: condition, onFailure, once, timeout } = given
  return {
    entry: {
      event,
      matcher,
      hook: {
        type: "in-process",
        name: `${name}${namesakes === 0 ? "" : ` (${namesakes + 1})`}`,
        ...(condition === undefined ? {} : { if: condition }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(once === undefined ? {} : { once }),
        ...(onFailure === undefined ? {} : { onFailure })
      },
      source: "flagSettings",
      order: Number.MAX_SAFE_INTEGER - 1_000_000 + at
    },
    hook: { name, event, run: (call) => Effect.provideContext(effectOf(`the hook \`${name}\``, run(call)), needs) }
  }
}

const asCall = ({ context, mode, policy }: HookBatch): HookCall => ({
  id: "",
  tool: "",
  input: {},
  context,
  mode,
  policy
})

const toldOf = ({ calls }: HookBatch): ReadonlyArray<unknown> =>
  calls.map(({ id, input, response, tool }) => ({
    tool_name: tool,
    tool_input: input,
    tool_use_id: id,
    tool_response: response
  }))
