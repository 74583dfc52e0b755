/**
 * The laws of the pipeline, for tools from anywhere: a source says which tools
 * there are and what they may be given, and everything around them goes wrong.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { AuditEntry } from "../../src/domain/AuditEntry.ts"
import { type CallContext, PermissionMode } from "../../src/domain/CallContext.ts"
import { type CallEvent, Stage } from "../../src/domain/CallEvent.ts"
import { type HookOutcome, nothingAfter, type PostHookOutcome, silent } from "../../src/domain/Hook.ts"
import type { Answer } from "../../src/domain/Question.ts"
import type { Tool } from "../../src/domain/Tool.ts"
import { textOf, ToolResult } from "../../src/domain/ToolResult.ts"
import type { ToolUse } from "../../src/domain/ToolUse.ts"
import { ResultStoreFailed } from "../../src/errors/ResultError.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import { PathResolver } from "../../src/services/PathResolver.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import { ToolRegistry } from "../../src/services/ToolRegistry.ts"
import { below, oneOf, pick } from "../../src/testing/arbitraries/oneOf.ts"
import { hooks, services, use } from "./services.ts"

/**
 * Where calls stand, and what can be seen from outside of what handlers did.
 *
 * - `begin`: makes everything as it was.
 * - `look`: says the same as long as no handler did anything.
 * - `leftovers`: what should have ended with the calls, such as processes.
 */
export class Outside extends Context.Service<Outside, {
  readonly context: CallContext
  readonly begin: Effect.Effect<void>
  readonly look: Effect.Effect<string>
  readonly leftovers: Effect.Effect<ReadonlyArray<string>>
}>()("toolgate/test/support/pipelineLaws/Outside") {}

/**
 * A source of tools.
 *
 * - `layer`: made once for all runs.
 * - `inputs`: what each tool may be given; wild ones are added.
 * - `opening`: what calls often begin with, where others depend on it.
 * - `asks`: tools that a person has to answer for, whatever rules allow.
 * - `persons`: tools that a person has to answer for, whatever hooks allow as well.
 * - `hangs`: whether a tool never ends with that input, so that somebody has to stop it once it can be seen to do something.
 * - `live`: runs in real time.
 */
export interface Source {
  readonly name: string
  readonly layer: Layer.Layer<Outside | PathResolver | ToolRegistry>
  readonly inputs: { readonly [tool: string]: Arbitrary.Arbitrary<unknown> }
  readonly opening?: ReadonlyArray<Called>
  readonly asks?: ReadonlyArray<string>
  readonly persons?: ReadonlyArray<string>
  readonly hangs?: (tool: string, input: unknown) => boolean
  readonly live: boolean
  readonly runs: number
}

/** Checks every law over the tools of a source. */
export const pipelineLaws = (source: Source): void =>
  withLayer(source.layer, { excludeTestServices: source.live })(
    `the laws of the pipeline, over ${source.name}`,
    (it) => {
      const tools = Object.keys(source.inputs)
      const kinds = new Set<string>()
      const hold = Effect.fnUntraced(function*(given: Situation) {
        const ran = yield* running(source, given)
        keepLaws(ran)
        for (const { tool } of ran.starts) kinds.add(`${tool} started`)
        for (const { outcome, tool } of endedCalls(ran)) if (tools.includes(tool)) kinds.add(outcome)
        if (ran.worlds[0] !== ran.worlds[1]) kinds.add("something happened")
      }, Effect.provideService(References.MinimumLogLevel, "None"))

      it.effect.prop("hold whatever goes wrong", [situations(source)], ([given]) => hold(given), {
        arbitrary: { runs: source.runs, size: 20 }
      })

      it.effect("and are about calls of every kind", () =>
        Effect.gen(function*() {
          const wanted = ["something happened", "done", "failed", "denied", "wrong", "stopped"]
          const missing = () =>
            [...wanted, ...tools.map((tool) => `${tool} started`)].filter((kind) => !kinds.has(kind))
          // A kind that chance left out comes up when more is drawn.
          for (let more = 0; more < source.runs && missing().length > 0; more++) {
            const drawn = yield* Arbitrary.sampleEffect(situations(source), { count: 10, size: 20 })
            yield* Effect.forEach(drawn, hold)
          }
          assert.deepStrictEqual(missing(), [])
        }))
    }
  )

interface Called {
  readonly tool: string
  readonly input: unknown
}

/** What may go wrong around calls. */
interface Situation {
  readonly calls: ReadonlyArray<Called>
  readonly prefix: string
  readonly through: "run" | "runAll"
  readonly concurrency: "1" | "2" | "10"
  readonly mode: PermissionMode
  readonly rules: { readonly [tool: string]: "allow" | "ask" | "deny" | "none" }
  readonly before: keyof ReturnType<typeof before>
  readonly rewrites: { readonly [tool: string]: unknown }
  readonly answer: keyof ReturnType<typeof answers>
  readonly store: keyof ReturnType<typeof stores>
  readonly after: keyof ReturnType<typeof afters>
  readonly stop: {
    readonly how: "cancelled" | "interrupted" | "killed" | "nothing"
    readonly stage: Stage
    readonly at: number
  }
}

const wild = Arbitrary.schema(Schema.Unknown)

/** Draws what lets calls through more often, since most of what could go wrong comes after it. */
export const mostly = <A>(usual: Arbitrary.Arbitrary<A>, otherwise: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.flatMap(below(4), (at) => at === 0 ? otherwise : usual)

const situations = ({ inputs, opening = [] }: Source): Arbitrary.Arbitrary<Situation> => {
  const called = Object.entries(inputs).map(([tool, input]) =>
    Arbitrary.all({ tool: Arbitrary.Constant(tool), input: mostly(input, oneOf(input, wild)) })
  )
  const strange = Arbitrary.all({ tool: pick("Missing", "toString", "", "mcp__"), input: wild })
  const calls = Arbitrary.array(oneOf(strange, ...called, ...called), { minLength: 1, maxLength: 5 })
  return Arbitrary.all({
    calls: oneOf(calls, Arbitrary.map(calls, (drawn) => [...opening, ...drawn])),
    prefix: Arbitrary.schema(Schema.String),
    through: pick("run", "runAll"),
    concurrency: pick("1", "2", "10"),
    mode: oneOf(Arbitrary.Constant("default"), Arbitrary.schema(PermissionMode)),
    rules: Arbitrary.all(
      Object.fromEntries(Object.keys(inputs).map((tool) => [tool, mostly(pick("allow"), pick("ask", "deny", "none"))]))
    ),
    before: mostly(
      pick("silent"),
      pick("allows", "asks", "denies", "rewrites", "rewrites badly", "dies", "interrupts itself", "hangs")
    ),
    rewrites: Arbitrary.all(inputs),
    answer: mostly(pick("Once"), pick("Always", "Denied", "Nobody", "fails", "hangs")),
    store: pick("works", "fails", "dies", "hangs"),
    after: mostly(pick("nothing"), pick("replaces", "floods", "dies", "hangs")),
    stop: Arbitrary.all({
      how: mostly(pick("nothing"), pick("cancelled", "interrupted", "killed")),
      stage: Arbitrary.schema(Stage),
      at: below(6)
    })
  })
}

/** What was seen of the calls of one message. `results` is undefined where they were killed. */
interface Ran {
  readonly source: Source
  readonly given: Situation
  readonly uses: ReadonlyArray<ToolUse>
  readonly results: ReadonlyArray<ToolResult> | undefined
  readonly events: ReadonlyArray<CallEvent>
  readonly audited: ReadonlyArray<AuditEntry>
  readonly starts: ReadonlyArray<Start>
  readonly observed: ReadonlyArray<string>
  readonly running: number
  readonly worlds: readonly [string, string]
  readonly leftovers: ReadonlyArray<string>
}

interface Start {
  readonly id: string
  readonly tool: string
  /** Whether it was written down before that this call may run. */
  readonly written: boolean
}

/** Each law looks at what was seen and fails where it is broken. */
const laws: { readonly [law: string]: (ran: Ran) => void } = {
  "exactly one well-formed result for each call, in order": ({ results, uses }) => {
    if (results === undefined) return
    assert.deepStrictEqual(results.map(({ tool_use_id }) => tool_use_id), uses.map(({ id }) => id))
    for (const result of results) {
      assert.isTrue(Schema.is(ToolResult)(result))
      assert.isTrue(textOf(result.content).isWellFormed())
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
    }
  },
  "what goes wrong in a handler, or after it, is no fault of ours": (ran) => {
    const started = ran.starts.map(({ id }) => id)
    for (const { id, outcome } of endedCalls(ran)) if (outcome === "internal") assert.notInclude(started, id)
  },
  "the first that is told of a call is that it came, the last that it is finished": ({ events, results, uses }) => {
    for (const [id, mine] of byId(events)) {
      const tags = mine.map(({ _tag }) => _tag)
      assert.strictEqual(tags.indexOf("Received"), 0, id)
      assert.strictEqual(tags.lastIndexOf("Received"), 0, id)
      const finished = tags.indexOf("Finished")
      if (finished !== -1) assert.strictEqual(finished, tags.length - 1, id)
    }
    results?.forEach((result, at) => {
      const last = events.findLast(({ id }) => id === uses[at]?.id)
      assert.deepStrictEqual(last?._tag === "Finished" ? last.result : last, result)
    })
  },
  "a handler starts at most once, and only where it was written down before that it may": ({ audited, starts }) => {
    assert.strictEqual(new Set(starts.map(({ id }) => id)).size, starts.length)
    for (const { id, written } of starts) assert.isTrue(written, id)
    assert.strictEqual(new Set(audited.map(({ id }) => id)).size, audited.length)
  },
  "a denied call's handler never starts, and one that did its work or failed had started": (ran) => {
    const started = new Set(ran.starts.map(({ id }) => id))
    for (const { id, outcome } of endedCalls(ran)) {
      const entry = ran.audited.find((entry) => entry.id === id)
      if (outcome === "denied" || outcome === "wrong") assert.isFalse(started.has(id), id)
      if (outcome === "denied") assert.strictEqual(entry?.verdict, "deny", id)
      if (outcome === "done" || outcome === "failed") {
        assert.isTrue(started.has(id), id)
        assert.strictEqual(entry?.verdict, "allow", id)
      }
    }
    for (const event of ran.events) {
      if (event._tag === "Decided" && event.decision.verdict === "deny") assert.isFalse(started.has(event.id), event.id)
    }
  },
  "nothing starts that a rule, a hook or a person is against": ({ given, source, starts }) => {
    for (const { tool } of starts) assert.isTrue(mayStart(source, given, tool), tool)
  },
  "where no handler started, nothing happened": ({ starts, worlds }) => {
    if (starts.length === 0) assert.strictEqual(worlds[0], worlds[1])
  },
  "hooks see a call after its tool once at most, and none that never started": ({ observed, starts }) => {
    assert.strictEqual(new Set(observed).size, observed.length)
    const started = starts.map(({ id }) => id)
    for (const id of observed) assert.include(started, id)
  },
  "a call that a tool makes is a call within that one": ({ events, starts, uses }) => {
    const top = new Set(uses.map(({ id }) => id))
    for (const [id, mine] of byId(events)) {
      const [received] = mine
      const parent = received?._tag === "Received" ? received.parent : undefined
      assert.strictEqual(parent === undefined, top.has(id), id)
      if (parent === undefined) continue
      assert.include(starts.map((start) => start.id), parent)
      const end = events.findIndex((event) => event._tag === "Finished" && event.id === parent)
      if (end !== -1) assert.isBelow(events.findLastIndex((event) => event.id === id), end, id)
    }
  },
  "nothing is left running": ({ leftovers, running }) => {
    assert.strictEqual(running, 0)
    assert.deepStrictEqual(leftovers, [])
  }
}

const keepLaws = (ran: Ran): void => {
  for (const [law, keeps] of Object.entries(laws)) {
    Result.getOrThrowWith(
      Result.try(() => keeps(ran)),
      (cause) => new Error(`${law}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    )
  }
}

/** Whether a call may start, for all that is known without looking at its input. */
const mayStart = (
  { asks = [], persons = [] }: Source,
  { answer, before, mode, rules }: Situation,
  tool: string
): boolean => {
  if (["denies", "dies", "interrupts itself", "hangs"].includes(before)) return false
  const answered = mode !== "dontAsk" && (answer === "Once" || answer === "Always")
  if (persons.includes(tool) && !answered) return false
  if (before === "allows") return true
  if (rules[tool] === "deny") return false
  return answered || rules[tool] !== "ask" && before !== "asks" && !asks.includes(tool)
}

const byId = (events: ReadonlyArray<CallEvent>): ReadonlyMap<string, ReadonlyArray<CallEvent>> =>
  Map.groupBy(events, ({ id }) => id)

const endedCalls = ({ events }: Ran) =>
  events.flatMap((event) => {
    if (event._tag !== "Finished") return []
    const received = events.find((one) => one._tag === "Received" && one.id === event.id)
    return [{ id: event.id, outcome: event.outcome, tool: received?._tag === "Received" ? received.use.name : "" }]
  })

const running = Effect.fnUntraced(function*(
  source: Source,
  given: Situation
): Effect.fn.Return<Ran, unknown, Outside | PathResolver | ToolRegistry> {
  const { begin, context, leftovers, look } = yield* Outside
  const paths = yield* PathResolver
  const registry = yield* ToolRegistry
  const events: Array<CallEvent> = []
  const audited: Array<AuditEntry> = []
  const starts: Array<Start> = []
  const observed: Array<string> = []
  const open = { handlers: 0 }

  const stopped = yield* Deferred.make<"cancelled" | "interrupted">()
  const killed = yield* Deferred.make<void>()
  // Calls that come alone can only be killed.
  const how = given.through === "run" && given.stop.how !== "nothing" ? "killed" : given.stop.how
  const stop = Effect.asVoid(
    how === "killed" || given.through === "run"
      ? Deferred.succeed(killed, undefined)
      : Deferred.succeed(stopped, how === "nothing" ? "cancelled" : how)
  )
  // Whatever hangs is what somebody gets tired of waiting for.
  const hangs = Effect.andThen(stop, Effect.never)

  /** Waits until something else can be seen from outside. */
  const begun = (before: string): Effect.Effect<void> =>
    Effect.flatMap(look, (now) =>
      now === before
        ? Effect.andThen(source.live ? Effect.sleep(5) : Effect.yieldNow, begun(before))
        : Effect.void)

  const watched = (tool: Tool): Tool => ({
    ...tool,
    prepare: (input) =>
      Result.map(tool.prepare(input), (invocation) => ({
        ...invocation,
        run: (context) =>
          Effect.acquireUseRelease(
            Effect.sync(() => {
              open.handlers++
              const written = audited.some(({ id, verdict }) => id === context.id && verdict === "allow")
              starts.push({ id: context.id, tool: tool.name, written })
            }),
            () =>
              source.hangs?.(tool.name, invocation.input) === true
                ? Effect.flatMap(look, (before) =>
                  Effect.raceFirst(invocation.run(context), Effect.andThen(begun(before), hangs)))
                : invocation.run(context),
            () =>
              Effect.sync(() => open.handlers--)
          )
      }))
  })
  const seen = (after: Effect.Effect<PostHookOutcome>) => ({ id }: { readonly id: string }) =>
    Effect.suspend(() => {
      observed.push(id)
      return after
    })
  const after = afters(hangs)[given.after]
  const pipeline = layer({ ...context, mode: given.mode }).pipe(
    Layer.provide(
      Layer.merge(
        services({
          rules: RuleSourcesLayers.layerMemory({ texts: { session: ruleTexts(given.rules) } }),
          hooks: hooks({
            preToolUse: ({ tool }) => before(hangs, given.rewrites[tool])[given.before],
            postToolUse: seen(after),
            postToolUseFailure: seen(after)
          }),
          approver: ApproverLayers.layerFunction(() => answers(hangs)[given.answer]),
          results: Layer.succeed(ResultStore, {
            keep: () => stores(hangs)[given.store],
            open: () => Effect.die("not used")
          }),
          paths: Layer.succeed(PathResolver, paths)
        }),
        Layer.succeed(ToolRegistry, {
          all: Effect.map(registry.all, (all) => all.map(watched)),
          find: (name) => Effect.map(registry.find(name), (found) => found && { ...found, tool: watched(found.tool) })
        })
      )
    ),
    Layer.provide(TelemetryLayers.layer()),
    Layer.provide(Layer.succeed(AuditLog, { record: (entry) => Effect.sync(() => void audited.push(entry)) }))
  )

  const uses = given.calls.map(({ input, tool }, at) => use(tool, input, `${given.prefix}${at}`))
  yield* begin
  const worldBefore = yield* look
  const all = Effect.flatMap(Pipeline, ({ run, runAll }) =>
    given.through === "run"
      ? Effect.forEach(uses, (one) => run(one))
      : runAll(uses, { concurrency: Number(given.concurrency), cancel: Deferred.await(stopped) })).pipe(
      Effect.provideService(CallEvents, (event) =>
        Effect.suspend(() => {
          events.push(event)
          const { at, stage } = given.stop
          return how !== "nothing" && event._tag === "StageStarted" && event.stage === stage &&
              event.id === uses[at]?.id
            ? stop
            : Effect.void
        })),
      Effect.provide(pipeline)
    )
  const results = yield* Effect.raceFirst(all, Effect.as(Deferred.await(killed), undefined))
  return {
    source,
    given,
    uses,
    results,
    events: [...events],
    audited: [...audited],
    starts: [...starts],
    observed: [...observed],
    running: open.handlers,
    leftovers: yield* leftovers,
    worlds: [worldBefore, yield* look]
  }
})

const ruleTexts = (rules: Situation["rules"]) =>
  Object.fromEntries(
    (["allow", "ask", "deny"] as const).map((behavior) => [
      behavior,
      Object.keys(rules).filter((tool) => rules[tool] === behavior)
    ])
  )

const before = (hangs: Effect.Effect<never>, rewritten: unknown) => ({
  silent: Effect.succeed(silent),
  allows: Effect.succeed<HookOutcome>({ ...silent, decision: "allow", source: "userSettings", allowsInput: true }),
  asks: Effect.succeed<HookOutcome>({ ...silent, decision: "ask" }),
  denies: Effect.succeed<HookOutcome>({ ...silent, decision: "deny", reason: "no" }),
  rewrites: Effect.succeed<HookOutcome>({ ...silent, rewritten: { ...Object(rewritten ?? {}) } }),
  "rewrites badly": Effect.succeed<HookOutcome>({ ...silent, rewritten: { "\ud83d": 10n } }),
  dies: Effect.die(new TypeError("bug in the runner")),
  "interrupts itself": Effect.interrupt,
  hangs
})

const answers = (hangs: Effect.Effect<never>) => ({
  Once: Effect.succeed<Answer>({ _tag: "Once" }),
  Always: Effect.succeed<Answer>({ _tag: "Always", destination: "session" }),
  Denied: Effect.succeed<Answer>({ _tag: "Denied" }),
  Nobody: Effect.succeed<Answer>({ _tag: "Nobody", why: "nobody is there" }),
  fails: Effect.fail("no"),
  hangs
})

const stores = (hangs: Effect.Effect<never>) => ({
  works: Effect.succeed("/state/kept"),
  fails: Effect.fail(new ResultStoreFailed({ reason: "full" })),
  dies: Effect.die("bug in the store"),
  hangs
})

const afters = (hangs: Effect.Effect<never>) => ({
  nothing: Effect.succeed(nothingAfter),
  replaces: Effect.succeed<PostHookOutcome>({ ...nothingAfter, replacement: { value: { new: ["\udc00"] } } }),
  floods: Effect.succeed<PostHookOutcome>({
    ...nothingAfter,
    messages: Array.from({ length: 50 }, () => "m".repeat(1_000)),
    context: Array.from({ length: 50 }, () => "c".repeat(1_000)),
    replacement: { value: "r".repeat(100_000) }
  }),
  dies: Effect.die("bug in a hook"),
  hangs
})
