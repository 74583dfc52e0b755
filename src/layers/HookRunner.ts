/**
 * Layers that provide `HookRunner`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CommandHook, type HookEntry, type HookEvent, nothingAfter, silent } from "../domain/Hook.ts"
import { type HookCall, HookRunner } from "../services/HookRunner.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { asUpdates, hookInput, withoutMiddle } from "./hooks/hookInput.ts"
import { type HookCommand, type HookEnd, runHook } from "./hooks/HookProcess.ts"
import type { HookResult } from "./hooks/HookResult.ts"
import { mergeBefore } from "./hooks/mergeBefore.ts"
import { mergeAfter, mergeAnswers } from "./hooks/readAfter.ts"
import { readBefore } from "./hooks/readBefore.ts"
import { selectHooks } from "./hooks/selectHooks.ts"

/**
 * Layer that runs command hooks as processes, all that match at once.
 *
 * **Details**
 *
 * Hooks start in the call's working directory with `CLAUDE_PROJECT_DIR` set, in
 * Bash, or without any shell when they have `args`. What they decide depends on
 * what they say and on the order of configuration, never on who is first.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerCommands: Layer.Layer<HookRunner, never, PathResolver> = Layer.suspend(() => layerRunning(runHook))

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
): Layer.Layer<HookRunner, never, PathResolver> =>
  Layer.effect(
    HookRunner,
    Effect.map(PathResolver, (paths) => {
      const runAll = Effect.fnUntraced(function*(
        event: HookEvent,
        call: HookCall,
        matching: ReadonlyArray<HookEntry>,
        own: { readonly [field: string]: unknown }
      ): Effect.fn.Return<ReadonlyArray<HookResult>> {
        if (matching.length === 0) return []
        const entries = yield* Effect.filter(matching, (entry) => lets(entry, call, paths))
        if (entries.length === 0) return []
        const stdin = hookInput(event, call, paths, own)
        return yield* Effect.forEach(entries, (entry) => runOne(run, entry, call, stdin), {
          concurrency: "unbounded"
        })
      })

      const after = (
        event: "PostToolUse" | "PostToolUseFailure",
        call: HookCall,
        own: { readonly [field: string]: unknown }
      ) => {
        const { entries, problems } = selectHooks(event, call)
        if (entries.length === 0) return Effect.succeed(nothingAfter)
        return Effect.map(runAll(event, call, entries, own), (results) => {
          const outcome = mergeAfter(event, results, call.tool)
          return { ...outcome, messages: [...problems, ...outcome.messages] }
        })
      }

      return HookRunner.of({
        preToolUse: (call) => {
          const { entries, problems } = selectHooks("PreToolUse", call)
          if (entries.length === 0) return Effect.succeed(silent)
          return Effect.map(runAll("PreToolUse", call, entries, {}), (results) => {
            const outcome = mergeBefore(results.map(readBefore), call.input)
            return { ...outcome, messages: [...problems, ...outcome.messages] }
          })
        },
        permissionRequest: (call, suggestions) => {
          const { entries } = selectHooks("PermissionRequest", call)
          return Effect.map(
            runAll("PermissionRequest", call, entries, { permission_suggestions: asUpdates(suggestions) }),
            mergeAnswers
          )
        },
        permissionDenied: (call, reason) => {
          const { entries } = selectHooks("PermissionDenied", call)
          return Effect.asVoid(runAll("PermissionDenied", call, entries, { reason }))
        },
        postToolUse: (call, response, durationMillis) =>
          after("PostToolUse", call, { tool_response: response ?? null, duration_ms: durationMillis }),
        postToolUseFailure: (call, error, durationMillis) =>
          after("PostToolUseFailure", call, {
            error: withoutMiddle(error),
            is_interrupt: false,
            duration_ms: durationMillis
          })
      })
    })
  )

// The shell's grammar is loaded for the first hook that needs it, not for every start.
const lets = (entry: HookEntry, call: HookCall, paths: PathResolver["Service"]): Effect.Effect<boolean> =>
  entry.hook.if === undefined
    ? Effect.succeed(true)
    : Effect.flatMap(
      Effect.promise(() => import("./hooks/applies.ts")),
      ({ applies }) => applies(entry, call, paths)
    )

const defaultSeconds = 600

// A timer can't count further.
const mostSeconds = 2_000_000

const runOne = Effect.fnUntraced(function*(
  run: (command: HookCommand) => Effect.Effect<HookEnd>,
  entry: HookEntry,
  call: HookCall,
  stdin: string
): Effect.fn.Return<HookResult> {
  const { hook } = entry
  if (hook.type !== "command") {
    const reason = `is of the kind ${hook.type}, which is not run here`
    return { entry, end: { ending: { _tag: "NotRun", reason } }, durationMillis: 0 }
  }
  const asked = hook.timeout !== undefined && hook.timeout > 0 ? hook.timeout : defaultSeconds
  const seconds = Math.min(asked, mostSeconds)
  const started = yield* Clock.currentTimeMillis
  const end = yield* Effect.timeoutOrElse(run(commandOf(hook, call, stdin)), {
    duration: seconds * 1000,
    orElse: () => Effect.succeed({ ending: { _tag: "TimedOut" as const, seconds } })
  })
  return { entry, end, durationMillis: (yield* Clock.currentTimeMillis) - started }
})

const commandOf = (hook: CommandHook, call: HookCall, stdin: string): HookCommand => {
  const projectRoot = call.policy.projectRoot
  const place = (text: string) => text.replaceAll("${CLAUDE_PROJECT_DIR}", () => projectRoot)
  return {
    file: hook.args === undefined ? "bash" : place(hook.command),
    args: hook.args === undefined ? ["-c", hook.command] : hook.args.map(place),
    cwd: call.context.cwd,
    env: { ...ownEnvironment(), CLAUDE_PROJECT_DIR: projectRoot },
    stdin
  }
}

// Telemetry that this process is told to send is not the hooks' to send.
const ownEnvironment = (): { readonly [name: string]: string | undefined } =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OTEL_")))
