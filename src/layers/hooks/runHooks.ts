/**
 * Hooks of every kind, run at once.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import type { HookEntry, HookEvent } from "../../domain/Hook.ts"
import type { OwnHook } from "../../domain/OwnHook.ts"
import { CallEvents, unwatched } from "../../services/CallEvents.ts"
import type { HookCall } from "../../services/HookRunner.ts"
import type { PathResolver } from "../../services/PathResolver.ts"
import { allowsUrl } from "./allowsUrl.ts"
import type { Background } from "./Background.ts"
import { callOwn } from "./callOwn.ts"
import { commandOf } from "./commandOf.ts"
import { hookInput, withAbsolutePaths } from "./hookInput.ts"
import { outputOf } from "./HookOutput.ts"
import type { HookCommand, HookEnd } from "./HookProcess.ts"
import type { HookResult } from "./HookResult.ts"
import type { Once } from "./Once.ts"
import { printable } from "./printable.ts"

/**
 * What hooks are run with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Means {
  readonly run: (command: HookCommand) => Effect.Effect<HookEnd>
  readonly own: ReadonlyMap<string, OwnHook>
  readonly model: Effect.Effect<LanguageModel | undefined>
  readonly models: Semaphore.Semaphore
  readonly services: Context.Context<never>
  readonly paths: PathResolver["Service"]
  readonly background: Background
  readonly once: Once
}

/**
 * Runs the hooks that an event of a call chose. `own` are the fields of the
 * event.
 *
 * @category running
 * @since 0.1.0
 */
export const runHooks = Effect.fnUntraced(function*(
  means: Means,
  event: HookEvent,
  call: HookCall,
  matching: ReadonlyArray<HookEntry>,
  own: { readonly [field: string]: unknown }
): Effect.fn.Return<ReadonlyArray<HookResult>> {
  if (matching.length === 0) return []
  const left = yield* means.once.left(call.context.session, matching)
  const entries = yield* Effect.filter(left, (entry) => lets(entry, event, call, means.paths))
  if (entries.length === 0) return []
  const asking: Asking = { event, call, own, stdin: hookInput(event, call, means.paths, own) }
  yield* tell(call.id, entries)
  const results = yield* Effect.forEach(entries, (entry) => runOne(means, entry, asking), {
    concurrency: "unbounded"
  })
  yield* means.once.ran(call.context.session, results)
  return results
})

interface Asking {
  readonly event: HookEvent
  readonly call: HookCall
  readonly own: { readonly [field: string]: unknown }
  readonly stdin: string
}

// The shell's grammar is loaded for the first hook that needs it, not for every start.
const lets = (
  entry: HookEntry,
  event: HookEvent,
  call: HookCall,
  paths: PathResolver["Service"]
): Effect.Effect<boolean> =>
  entry.hook.if === undefined || entry.hook.if.trim() === ""
    ? Effect.succeed(true)
    : event === "PostToolBatch"
    ? Effect.succeed(false)
    : Effect.flatMap(
      Effect.promise(() => import("./applies.ts")),
      ({ applies }) => applies(entry, call, paths)
    )

/** What hooks show a person while they are waited for. */
const tell = Effect.fnUntraced(function*(id: string, entries: ReadonlyArray<HookEntry>): Effect.fn.Return<void> {
  const publish = yield* CallEvents
  if (publish === unwatched) return
  for (const { hook } of entries) {
    const text = printable(hook.statusMessage ?? "").replace(/\s+/g, " ").trim().slice(0, 200)
    if (text !== "") yield* publish({ _tag: "Progress", id, channel: "message", text })
  }
})

const runOne = Effect.fnUntraced(function*(
  means: Means,
  entry: HookEntry,
  asking: Asking
): Effect.fn.Return<HookResult> {
  const run = timed(means, entry, asking)
  if (entry.hook.type !== "command" || entry.hook.async !== true) return yield* run
  yield* means.background.start(asking.event, asking.call.context.session, run)
  return { entry, end: nothingYet, durationMillis: 0 }
})

const nothingYet: HookEnd = { ending: { _tag: "Exited", code: 0 }, stdout: outputOf(""), stderr: outputOf("") }

// A timer can't count further.
const mostSeconds = 2_000_000

const timed = Effect.fnUntraced(function*(
  means: Means,
  entry: HookEntry,
  asking: Asking
): Effect.fn.Return<HookResult> {
  const { timeout, type } = entry.hook
  const asked = timeout !== undefined && timeout > 0 ? timeout : type === "prompt" ? 30 : 600
  const seconds = Math.min(asked, mostSeconds)
  const started = yield* Clock.currentTimeMillis
  const end = yield* Effect.timeoutOrElse(endOf(means, entry, asking), {
    duration: seconds * 1000,
    orElse: () => Effect.succeed({ ending: { _tag: "TimedOut" as const, seconds } })
  })
  return { entry, end, durationMillis: (yield* Clock.currentTimeMillis) - started }
})

const endOf = (means: Means, { hook }: HookEntry, asking: Asking): Effect.Effect<HookResult["end"]> => {
  const { call, event, stdin } = asking
  switch (hook.type) {
    case "command":
      return means.run(commandOf(hook, call, stdin))
    case "http": {
      const { allowedEnvVars, allowedUrls } = call.policy.httpHooks ?? {}
      if (allowedUrls !== undefined && !allowsUrl(allowedUrls, hook.url)) {
        return Effect.succeed(notRun("has an address that `allowedHttpHookUrls` does not allow"))
      }
      const mayHold = (name: string) => allowedEnvVars === undefined || allowedEnvVars.includes(name)
      const limited = { ...hook, allowedEnvVars: (hook.allowedEnvVars ?? []).filter(mayHold) }
      return Effect.flatMap(
        Effect.promise(() => import("./askUrl.ts")),
        ({ askUrl }) => askUrl(limited, stdin, means.services)
      )
    }
    case "prompt":
      return means.models.withPermits(1)(Effect.gen(function*() {
        const model = yield* means.model
        if (model === undefined) return notRun("is a question to a language model, and none was given")
        const { askModel } = yield* Effect.promise(() => import("./askModel.ts"))
        return yield* askModel(hook, event, stdin, model)
      }))
    case "in-process": {
      const found = means.own.get(hook.name)
      if (found === undefined) return Effect.succeed(notRun("is not there"))
      const { context, id, mode, tool } = call
      const input = withAbsolutePaths(call, means.paths)
      return callOwn(found, { event, id, tool, input, context, mode, own: asking.own })
    }
    default:
      return Effect.succeed(
        notRun(
          hook.problem === undefined
            ? `is of the kind ${hook.type}, which is not run here`
            : `can't be read: ${hook.problem}`
        )
      )
  }
}

const notRun = (reason: string): HookResult["end"] => ({ ending: { _tag: "NotRun", reason } })
