/**
 * Runs a case through the pipeline and notes what there is to see.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import type { CallContext } from "../../domain/CallContext.ts"
import type { CallEvent } from "../../domain/CallEvent.ts"
import type { Decision } from "../../domain/Decision.ts"
import type { Policy } from "../../domain/Policy.ts"
import { textOf, type ToolResult } from "../../domain/ToolResult.ts"
import type { ToolUse } from "../../domain/ToolUse.ts"
import { Pipeline } from "../../pipeline.ts"
import { RuleSources } from "../../services/RuleSources.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import type { Tasks } from "../../services/Tasks.ts"
import type { Case } from "./Case.ts"
import * as CaseTools from "./CaseTools.ts"
import type { Need } from "./Check.ts"
import type { Observation, SeenResult } from "./Observation.ts"
import { processesOf } from "./processesOf.ts"
import { readingsOf } from "./readingsOf.ts"
import { rememberedFiles } from "./rememberedFiles.ts"
import * as Root from "./Root.ts"
import { runCalls } from "./runCalls.ts"
import { settingsFiles } from "./settingsFiles.ts"
import { storedFiles } from "./storedFiles.ts"
import * as StubHooks from "./StubHooks.ts"
import * as StubPrograms from "./StubPrograms.ts"
import { taskNotices } from "./taskNotices.ts"
import { usesOf } from "./usesOf.ts"
import * as World from "./World.ts"

/**
 * Runs a case. `needs` are those of the sentences that will be checked.
 *
 * @category running
 * @since 0.1.0
 */
export const observe = Effect.fnUntraced(
  function*(one: Case, needs: ReadonlySet<Need>): Effect.fn.Return<Observation, never, Scope.Scope> {
    const { given } = one
    const gone = needs.has("gone")
    const root = yield* Root.make(one, { gone })
    // Settings of a folder that is gone are those that were read while it was there.
    const settingsRoot = gone ? yield* Root.make(one, { gone: false }) : root
    const settings = settingsFiles(one, StubHooks.programs(given.hooks ?? [], root))
    for (const [path, text] of settings.files) Root.write(settingsRoot, path, text)
    if (needs.has("shell")) StubPrograms.write(root)

    const logs: Array<string> = []
    const parts: World.Parts = {
      case: one,
      context: contextOf(one),
      root,
      settingsRoot,
      settings,
      needs,
      notebook: { events: [], starts: [], questions: [], hooks: [] }
    }
    const logger = Logger.layer([Logger.make(({ message }) => void logs.push(plain(message)))])
    const seen = yield* Effect.provide(run(parts, usesOf(one)), [World.layer(parts), logger])
    return {
      ...seen,
      case: one,
      readings: readingsOf(one, seen),
      notes: [...seen.notes, ...logs].map(root.told),
      stored: storedFiles(root),
      after: contentsOf(parts),
      left: needs.has("shell") || given.hooks !== undefined ? yield* processesOf(root.marker) : [],
      sessionBytes: sizeOf(`${root.state}/sessions/${session}/session.json`) +
        sizeOf(`${root.state}/sessions/${session}/seen.ndjson`),
      limit: CaseTools.limitOf(one) ?? 32_000
    }
  },
  Effect.scoped
)

const session = "case"

const contextOf = ({ given: { cwd, settings } }: Case): CallContext => ({
  session,
  cwd,
  directories: settings?.additionalDirectories ?? [],
  ...(settings?.mode === undefined ? {} : { mode: settings.mode })
})

type Seen = Omit<Observation, "case" | "readings" | "stored" | "after" | "left" | "sessionBytes" | "limit">

const run = Effect.fnUntraced(function*(
  parts: World.Parts,
  uses: ReadonlyArray<ToolUse>
): Effect.fn.Return<Seen, never, Pipeline | RuleSources | SessionStore | Tasks> {
  const { case: one, context, needs, notebook, root, settings } = parts
  const pipeline = yield* Pipeline
  const sources = yield* RuleSources
  const files = rememberedFiles(one, root)
  const store = yield* SessionStore
  yield* Effect.orDie(store.update(session, (state) => ({ ...state, rules: settings.session })))
  for (const [path, state] of Object.entries(files)) yield* Effect.orDie(store.saw(session, path, state))
  const before = contentsOf(parts)
  const policy = yield* sources.policy(context)
  const [use] = uses
  const explained = use === undefined ? undefined : yield* checked(pipeline, use)

  const growth = watchGrowth()
  const started = yield* Clock.currentTimeMillis
  const exit = yield* Effect.exit(
    runCalls(
      one,
      uses,
      pipeline,
      (event) => Effect.map(Clock.currentTimeMillis, (at) => void notebook.events.push({ at, event }))
    )
  )
  const ended = yield* Clock.currentTimeMillis
  const grownBytes = growth()

  const decided = notebook.events.find(({ event }) => event._tag === "Decided" && event.id === use?.id)
  const decision = decided?.event._tag === "Decided" ? decided.event.decision : undefined
  const offered = needs.has("offered") && use !== undefined && (decision?.suggestions.length ?? 0) > 0
    ? yield* Effect.andThen(
      Effect.orDie(sources.grant(context, "session", decision?.suggestions ?? [])),
      checked(pipeline, use)
    )
    : undefined
  const next = yield* Effect.exit(pipeline.run({ type: "tool_use", id: "next", name: "no such tool", input: {} }))
  return {
    uses,
    decision,
    explained,
    offered,
    results: exit._tag === "Success" ? exit.value.map((result) => seenResult(result, root)) : [],
    starts: notebook.starts,
    questions: notebook.questions,
    hooks: notebook.hooks,
    notes: [
      ...policyNotes(policy),
      ...notebook.events.flatMap(({ event }) => noted(event)),
      ...(yield* taskNotices(session))
    ],
    diagnostics: policy.diagnostics,
    millis: ended - started,
    decidedMillis: (decided?.at ?? ended) - started,
    escaped: exit._tag === "Success" ? undefined : Cause.pretty(exit.cause),
    grownBytes,
    before,
    answersNext: next._tag === "Success"
  }
})

const checked = (pipeline: Pipeline["Service"], use: ToolUse): Effect.Effect<Decision | undefined> =>
  Effect.orElseSucceed(pipeline.check(use, { explain: true }), () => undefined)

/** Begins to watch the memory of the process. What comes back ends it and gives by how much it grew at most. */
const watchGrowth = (): () => number => {
  const resident = process.memoryUsage.rss()
  let most = resident
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 20)
  return () => {
    clearInterval(timer)
    look()
    return most - resident
  }
}

/** The text of the file that the case's call names. */
const contentsOf = ({ case: { call, given }, root }: World.Parts): string | undefined => {
  const path: unknown = Predicate.isObject(call.input) ? Reflect.get(call.input, "file_path") : undefined
  if (typeof path !== "string") return undefined
  return contents(root.real(path.startsWith("/") ? path : `${given.cwd}/${path}`))
}

const contents = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const sizeOf = (path: string): number => contents(path)?.length ?? 0

const seenResult = (result: ToolResult, root: Root.Root): SeenResult => {
  const raw = textOf(result.content)
  return { id: result.tool_use_id, text: root.told(raw), raw, failed: result.is_error === true, result }
}

/** What is shown of settings to those who look. */
const policyNotes = (policy: Policy): ReadonlyArray<string> => [
  ...policy.diagnostics.map(({ message, origin, rule }) =>
    `${origin.file ?? origin.source}:${origin.line ?? ""}: ${message}${rule === undefined ? "" : ` (${rule})`}`
  ),
  ...policy.unreadable.map(({ origin, reason }) => `${origin.file ?? origin.source}: ${reason}`)
]

const noted = (event: CallEvent): ReadonlyArray<string> => event._tag === "Noted" ? [event.note.text] : []

const plain = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map((part) => typeof part === "string" ? part : String(part)).join(" ")
