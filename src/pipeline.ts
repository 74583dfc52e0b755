/**
 * The spine: eight stages, one tool call in, one `tool_result` out.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { pipe } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import type { AskedCall } from "./domain/Call.ts"
import type { CallContext } from "./domain/CallContext.ts"
import type { CallEvent, Stage } from "./domain/CallEvent.ts"
import type { Decision } from "./domain/Decision.ts"
import { silent } from "./domain/Hook.ts"
import type { Shown, Tools } from "./domain/Tool.ts"
import type { ToolResult } from "./domain/ToolResult.ts"
import type { ToolUse } from "./domain/ToolUse.ts"
import type { Watch } from "./domain/Watch.ts"
import type { BatchRefused } from "./errors/BatchError.ts"
import { type CallError, CallStopped, InternalError } from "./errors/CallError.ts"
import { classify } from "./errors/classify.ts"
import type { LookupError } from "./errors/LookupError.ts"
import type { ValidateError } from "./errors/ValidateError.ts"
import { decide, explain } from "./permission/decide.ts"
import type { Approver } from "./services/Approver.ts"
import { BroughtTools, findTool } from "./services/BroughtTools.ts"
import { CallEvents, HearsProgress, type Publish, unwatched } from "./services/CallEvents.ts"
import type { Classifier } from "./services/Classifier.ts"
import type { DenialTracker } from "./services/DenialTracker.ts"
import type { HookRunner } from "./services/HookRunner.ts"
import { Leftover } from "./services/Leftover.ts"
import { News } from "./services/News.ts"
import type { PathResolver } from "./services/PathResolver.ts"
import { providing } from "./services/providing.ts"
import type { ResultStore } from "./services/ResultStore.ts"
import { RuleSources } from "./services/RuleSources.ts"
import type { SessionStore } from "./services/SessionStore.ts"
import { StartsServers } from "./services/StartsServers.ts"
import { Telemetry } from "./services/Telemetry.ts"
import { ToolRegistry } from "./services/ToolRegistry.ts"
import * as Turns from "./services/Turns.ts"
import { admit, asUse, door } from "./stages/admit.ts"
import { batchHook, type EndedCall } from "./stages/batchHook.ts"
import { emit, type Emitted, type Ending } from "./stages/emit.ts"
import { execute } from "./stages/execute.ts"
import { gatherEvidence } from "./stages/gatherEvidence.ts"
import { inOrder } from "./stages/inOrder.ts"
import { lookup } from "./stages/lookup.ts"
import { permission } from "./stages/permission.ts"
import { postHook } from "./stages/postHook.ts"
import { result } from "./stages/result.ts"
import { schedule } from "./stages/schedule.ts"
import { screen } from "./stages/screen.ts"
import { soFar } from "./stages/soFar.ts"
import { standing } from "./stages/standing.ts"
import { validate } from "./stages/validate.ts"

/**
 * How a call is run.
 *
 * **Details**
 *
 * `context` says which session, working directory, mode and user the call
 * belongs to; left out, it is the one that the Layer was made with. When
 * `cancel` succeeds, what is still running is ended and answered as stopped, in
 * the way that it says.
 *
 * @category models
 * @since 0.1.0
 */
export interface RunOptions {
  readonly context?: CallContext
  readonly cancel?: Effect.Effect<"cancelled" | "interrupted">
}

/**
 * The calls of one message while it is still coming in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Batch {
  /**
   * Takes the next call, which starts as soon as those before it let it. Fails
   * for one that can't be told from another, and starts nothing then.
   */
  readonly add: (use: ToolUse) => Effect.Effect<void, BatchRefused>
  /** Waits for every call that was added, then shows hooks all of them. */
  readonly end: Effect.Effect<ReadonlyArray<ToolResult>>
}

/**
 * Service that governs tool calls.
 *
 * @category services
 * @since 0.1.0
 */
export class Pipeline extends Context.Service<Pipeline, {
  /** Runs one call. Never fails: whatever goes wrong is in the result. */
  readonly run: (use: ToolUse, context?: CallContext) => Effect.Effect<ToolResult>
  /**
   * Runs the calls of one message. Results come in the order of the calls, one
   * for each; consecutive calls of tools that may overlap do, `concurrency` (10)
   * at most.
   */
  readonly runAll: (
    uses: ReadonlyArray<ToolUse>,
    options?: RunOptions & { readonly concurrency?: number }
  ) => Effect.Effect<ReadonlyArray<ToolResult>, BatchRefused>
  /**
   * The same for calls that come one by one, as a model writes them: each runs
   * while later ones are on their way. What still runs ends with the scope.
   */
  readonly batch: (
    options?: RunOptions & { readonly concurrency?: number }
  ) => Effect.Effect<Batch, never, Scope.Scope>
  /** Runs one call, telling what happens, without `progress` if that is false; the last event is `Finished`. */
  readonly stream: (
    use: ToolUse,
    options?: RunOptions & { readonly progress?: boolean }
  ) => Stream.Stream<CallEvent>
  /** Decides about a call and runs nothing: no hook, no classifier, no tool. */
  readonly check: (
    use: ToolUse,
    options?: {
      readonly context?: CallContext
      /** Say of every rule why it did not decide. */
      readonly explain?: boolean
    }
  ) => Effect.Effect<Decision, LookupError | ValidateError>
}>()("toolgate/pipeline") {}

/**
 * Everything that the stages need.
 *
 * @category models
 * @since 0.1.0
 */
export type Services =
  | Approver
  | Classifier
  | DenialTracker
  | HookRunner
  | PathResolver
  | ResultStore
  | RuleSources
  | SessionStore
  | ToolRegistry

/**
 * Layer that makes the pipeline of the services it is given. `context` is for
 * calls that come without their own.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (context: CallContext): Layer.Layer<Pipeline, never, Services> =>
  Layer.effect(Pipeline, make(context))

/** One stage after the other, put together once for many calls: what one gives is what the next one takes. */
const through = (
  at: At,
  news: (session: string) => Effect.Effect<ReadonlyArray<string>>
): Step<AskedCall> => {
  const stages = pipe(
    at("lookup", lookup),
    then(at("validate", validate)),
    then(deciding(pipe(at("screen", screen), then(at("permission", permission))))),
    // One step for what follows: a call that waits for an answer holds no more than it has to.
    then(pipe(at("execute", execute), then(at("result", result)), then(at("postHook", postHook))))
  )
  const last = at("emit", ({ asked, ending, said }: Ended) => Effect.succeed(emit(asked, ending, said)))
  const end = (asked: AskedCall, services: Context.Context<Services>, ending: Ending) =>
    Effect.flatMapEager(
      news(asked.context.session),
      (said) => last({ use: asked.use, watch: asked.watch, asked, ending, said }, services)
    )
  return (asked, services) =>
    Effect.matchCauseEffect(Effect.suspend(() => stages(asked, services)), {
      onSuccess: (call) => end(asked, services, { _tag: "Observed", call }),
      onFailure: (cause) =>
        Effect.flatMap(toError(asked, cause), (error) => end(asked, services, { _tag: "Failed", error }))
    })
}

/** What is done with a call. It is handed the services, so that what can be known at once is there at once. */
type Step<A, B = Emitted, E = never, R = Services> = (
  call: A,
  services: Context.Context<Services>
) => Effect.Effect<B, E, R>

const then =
  <B, C, E2, R2>(next: Step<B, C, E2, R2>) =>
  <A, E, R>(first: Step<A, B, E, R>): Step<A, C, E | E2, R | R2> =>
  (call, services) => Effect.flatMapEager(first(call, services), (given) => next(given, services))

/** What still judges when it is decided ends there. */
const deciding = <A, B, E, R>(step: Step<A, B, E, R>): Step<A, B, E, Exclude<R, Scope.Scope>> => (call, services) =>
  Effect.scoped(step(call, services))

interface Ended extends Pick<AskedCall, "use" | "watch"> {
  readonly asked: AskedCall
  readonly ending: Ending
  readonly said: ReadonlyArray<string>
}

const make = Effect.fnUntraced(function*(
  standard: CallContext
): Effect.fn.Return<Pipeline["Service"], never, Services> {
  // A call belongs to the span of whoever asks for it, not of whoever made this Layer.
  const services = Context.omit(Tracer.ParentSpan)(yield* Effect.context<Services>()).pipe(
    Context.add(Turns.Turns, Turns.make())
  )
  const telemetry = yield* Telemetry
  const sources = yield* RuleSources
  const news = yield* News

  const beside = providing(services)
  const unheard = through(at(unwatched), news)

  const governed = (
    given: ToolUse,
    context: CallContext = standard,
    cancel?: RunOptions["cancel"],
    parent?: string
  ): Effect.Effect<Emitted> =>
    Effect.withFiber((fiber) => {
      const use = asUse(given)
      const publish = fiber.getRef(CallEvents)
      const tools = toolsOf(use, context, fiber.cache.tracerEnabled)
      const stages = publish === unwatched ? unheard : through(at(publish), news)
      const services = beside(fiber.context)
      const asked: Step<Watch | undefined> = (watch, services) =>
        Effect.flatMapEager(standing(context, services), (context) =>
          stages(
            parent === undefined ? { use, context, tools, watch } : { use, context, tools, watch, parent },
            services
          ))
      const stoppable = cancel === undefined ? asked : untilStopped({ use, context }, asked, cancel)
      const run: Step<Watch | undefined> = publish === unwatched ?
        stoppable :
        (watch, services) =>
          received(use, parent, publish).pipe(
            Effect.andThen(Effect.suspend(() => stoppable(watch, services))),
            Effect.tap(({ endsTurn }) => turnEnded(use, endsTurn, publish))
          )
      // Put together when it begins, so that a call which waits holds on to nothing that is over.
      const governing = Effect.suspend(() =>
        telemetry((watch) => {
          if (watch !== undefined) findAtOnce(use, services, watch)
          return run(watch, services)
        })
      )
      const ended = Effect.setContext(governing, services)
      return publish === unwatched ? ended : Effect.tap(ended, finished(use, publish))
    })

  const overlaps = (use: ToolUse): Effect.Effect<boolean> =>
    Effect.contextWith((outer: Context.Context<never>) =>
      Effect.map(findTool(beside(outer), use.name), (found) => {
        const prepared = found?.tool.prepare(use.input)
        return prepared !== undefined && Result.isSuccess(prepared) && prepared.success.concurrencySafe
      })
    )

  const batch = Effect.fnUntraced(function*(
    { cancel, concurrency = mostAtOnce, context }: RunOptions & { readonly concurrency?: number } = {}
  ): Effect.fn.Return<Batch, never, Scope.Scope> {
    // One signal for all, so that `cancel` itself runs once.
    const stop = yield* Deferred.make<"cancelled" | "interrupted">()
    if (cancel !== undefined) yield* Effect.forkScoped(Effect.flatMap(cancel, (how) => Deferred.succeed(stop, how)))
    const signal = cancel === undefined ? undefined : Deferred.await(stop)

    const admitted = door()
    const calls = yield* schedule<EndedCall>(concurrency)
    return {
      add: Effect.fnUntraced(function*(use) {
        yield* admitted(use)
        const run = Effect.map(
          governed(use, context, signal),
          ({ facts, result }) => ({ use, tool: facts.tool ?? use.name, result })
        )
        // Only its server may know, which nobody waits for once all is stopped.
        const known = signal === undefined ? overlaps(use) : Effect.raceFirst(overlaps(use), Effect.as(signal, true))
        yield* calls.add(run, yield* known)
      }),
      end: Effect.gen(function*() {
        const ended = yield* calls.ended
        const results = ended.map(({ result }) => result)
        if (yield* Deferred.isDone(stop)) return results
        const observed = Effect.provideContext(batchHook(ended, context ?? standard), services)
        return yield* signal === undefined ? observed : Effect.raceFirst(observed, Effect.as(signal, results))
      })
    }
  })

  const names = Effect.gen(function*() {
    const tools = [...yield* BroughtTools, ...yield* (yield* ToolRegistry).all]
    return [...new Set(tools.map(({ name }) => name))]
  }).pipe(Effect.provideService(StartsServers, false), Effect.provideContext(services))

  /** The other tools, for the tool of a call: what it calls is governed as a call of its own. */
  const toolsOf = ({ id }: ToolUse, context: CallContext, traced: boolean): Tools => {
    let made = 0
    let ordered: ReturnType<typeof inOrder> | undefined
    return {
      names,
      call: (name, input) =>
        Effect.suspend(() => {
          ordered ??= inOrder(mostAtOnce)
          const use: ToolUse = { type: "tool_use", id: `${id}_${++made}`, name, input }
          // Spans of a tool itself may be kept from the tracer; those of a call it makes are a call's.
          const run = Effect.withTracerEnabled(governed(use, context, undefined, id), traced)
          return Effect.map(ordered(overlaps(use), run), ({ result }) => result)
        })
    }
  }

  return Pipeline.of({
    run: (use, context) => Effect.map(governed(use, context), (emitted) => emitted.result),

    runAll: Effect.fnUntraced(function*(uses, options) {
      yield* admit(uses)
      const { add, end } = yield* batch(options)
      for (const use of uses) yield* add(use)
      return yield* end
    }, Effect.scoped),

    batch,

    stream: (use, { cancel, context, progress = true } = {}) =>
      Stream.callback<CallEvent>((queue) => {
        const publish: Publish = (event) => Effect.asVoid(Queue.offer(queue, event))
        return governed(use, context, cancel).pipe(
          Effect.provideService(CallEvents, publish),
          Effect.provideService(HearsProgress, progress),
          Effect.andThen(Queue.end(queue))
        )
      }, { bufferSize: 16, strategy: "suspend" }),

    check: Effect.fnUntraced(function*(given, { context = standard, explain: explaining = false } = {}) {
      const use = asUse(given)
      const gathered = Effect.gen(function*() {
        const around = yield* Effect.context<Services>()
        const found = yield* lookup({ use, context: yield* standing(context, around) }, around)
        const valid = yield* validate(found)
        const screened = { ...valid, hook: silent, original: undefined, pending: Effect.undefined }
        return { tool: found.tool, evidence: yield* gatherEvidence(screened, yield* sources.policy(context), around) }
      })
      // What a server says of its tool can only tighten: it is started for what would be allowed without it.
      const first = yield* Effect.provideService(gathered, StartsServers, false)
      const { evidence } = first.tool.origin === "mcp" && decide(first.evidence).verdict === "allow"
        ? yield* gathered
        : first
      return explaining ? explain(evidence) : decide(evidence)
    }, Effect.provideContext(services))
  })
})

/** How many calls run together, where they may overlap. */
const mostAtOnce = 10

const received = (use: ToolUse, parent: string | undefined, publish: Publish): Effect.Effect<void> =>
  publish({ _tag: "Received", id: use.id, use, ...(parent === undefined ? {} : { parent }) })

const turnEnded = (use: ToolUse, reason: string | undefined, publish: Publish): Effect.Effect<void> =>
  reason === undefined ? Effect.void : publish({ _tag: "TurnEnded", id: use.id, reason })

/** What a person is told beside the result comes before it: the last event of a call is that it is finished. */
const finished = (use: ToolUse, publish: Publish) => ({ notes, outcome, result }: Emitted): Effect.Effect<void> =>
  Effect.andThen(
    Effect.forEach(notes, (note) => publish({ _tag: "Noted", id: use.id, note }), { discard: true }),
    publish({ _tag: "Finished", id: use.id, outcome, result })
  )

/** Tells the tool of a call that may be stopped before it is looked up, where nobody has to be waited for. */
const findAtOnce = (use: ToolUse, services: Context.Context<Services>, watch: Watch): void => {
  // Eager: what is there at once is told, and nothing runs for what is not.
  void Effect.mapEager(findTool(services, use.name), (found) => found && watch.found(found.tool.name))
}

/** Runs a stage, and tells whoever watches when it starts and ends. */
type At = <A extends Pick<AskedCall, "use" | "watch">, B, E, R>(
  stage: Stage,
  run: Step<A, B, E, R>
) => Step<A, B, E, R>

const at = (publish: Publish): At => (stage, run) => {
  const told: typeof run = publish === unwatched ? run : (call, services) => {
    const { id } = call.use
    const ended = (outcome: string): Effect.Effect<void> => publish({ _tag: "StageEnded", id, stage, outcome })
    return publish({ _tag: "StageStarted", id, stage }).pipe(
      Effect.andThen(Effect.suspend(() => run(call, services))),
      // No finalizer: whoever interrupts a call has stopped listening, and would be waited for.
      Effect.tap(() => ended("went on")),
      Effect.tapCause(() => ended("ended the call"))
    )
  }
  return (call, services) =>
    call.watch === undefined ? told(call, services) : call.watch.stage(stage, () => told(call, services))
}

/** The first that comes. What is stopped has ended, and left what it had to show, before it is answered. */
const untilStopped = <A>(
  asked: AskedCall,
  run: Step<A>,
  cancel: Effect.Effect<"cancelled" | "interrupted">
): Step<A> =>
(given, services) =>
  Effect.suspend(() => {
    const leftover: { shown?: Shown } = {}
    const running = run(given, Context.add(services, Leftover, leftover))
    return Effect.map(
      // INVARIANT: a call that was stopped before its turn came does not begin, so the signal is looked at first.
      Effect.raceFirst(cancel, Effect.provideService(running, Leftover, leftover)),
      (end) =>
        typeof end !== "string" ? end : emit(asked, {
          _tag: "Failed",
          error: new CallStopped({ call: soFar(asked), how: end, ...leftover.shown })
        })
    )
  })

/** What is no expected failure is a fault of ours, which is logged under the call's id. */
const toError = Effect.fnUntraced(function*(
  asked: AskedCall,
  cause: Cause.Cause<CallError>
): Effect.fn.Return<CallError> {
  const failure = Cause.findError(cause)
  if (Result.isSuccess(failure)) return failure.success
  const { id } = asked.use
  // What the cause says may be the user's: it is only told to those who ask for that much.
  yield* Effect.logError("internal error", id, classify(Cause.squash(cause)))
  yield* Effect.logDebug("internal error", id, cause)
  return new InternalError({ call: soFar(asked), id, cause: Cause.squash(cause) })
})
