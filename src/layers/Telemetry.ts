/**
 * Layer that watches calls for Effect's tracer and metrics.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { TracerEnabled } from "effect/References"
import * as Tracer from "effect/Tracer"
import type { Stage } from "../domain/CallEvent.ts"
import type { Watch } from "../domain/Watch.ts"
import { classify } from "../errors/classify.ts"
import { Telemetry, type Watcher } from "../services/Telemetry.ts"
import * as CallSpans from "./telemetry/CallSpans.ts"

/**
 * What may be told beyond what is safe to send anywhere.
 *
 * **Details**
 *
 * - `inside`: spans that tools, hooks and layers make themselves are kept, with
 *   their errors' messages, and so is what they write into the spans of the call.
 *   All that may hold paths, commands and addresses.
 * - `toolName`: how a tool is called in spans and metrics. Its own name when left
 *   out, `mcp` for any tool of a server, since a server's name is the user's.
 *
 * @category options
 * @since 0.1.0
 */
export interface TelemetryOptions {
  readonly inside?: boolean
  readonly toolName?: (name: string) => string
}

/**
 * Layer that makes one span a call and one a stage where a tracer is there, and
 * counts and times calls, stages and decisions.
 *
 * **Details**
 *
 * The metrics are `toolgate.calls` (by tool, outcome and error),
 * `toolgate.decisions` (by tool, what was decided and by whom),
 * `toolgate.call.duration` (by tool and outcome) and `toolgate.stage.duration`
 * (by stage and whether the call went on), durations in milliseconds. Names,
 * labels and attributes come from fixed lists, but for the names of tools that
 * the application has itself.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: TelemetryOptions = {}): Layer.Layer<never> => Layer.sync(Telemetry, () => make(options))

const make = (options: TelemetryOptions): Watcher => {
  const nameOf = (tool: string | undefined): string =>
    tool === undefined ? "unknown" : options.toolName?.(tool) ?? (tool.startsWith("mcp__") ? "mcp" : tool)
  const quiet = options.inside !== true

  const watchOf = (
    spans: CallSpans.CallSpans | undefined,
    clock: Clock.Clock,
    context: Context.Context<never>
  ): Watch & { readonly tool: () => string | undefined } => {
    let latest: Tracer.Span | undefined
    let tool: string | undefined
    return {
      tool: () => tool,

      found: (name) => {
        tool = name
      },

      stage: (stage, run) => {
        const started = clock.monotonicTimeNanosUnsafe()
        const { endedTheCall, name, wentOn } = ofStages[stage]
        const span = latest = spans?.begin(name, started)
        const end = (exit: Exit.Exit<unknown, unknown>): void => {
          const ended = clock.monotonicTimeNanosUnsafe()
          const went = Exit.isSuccess(exit)
          const series = went ? wentOn : endedTheCall
          series.updateUnsafe(inMillis(ended - started), context)
          if (spans === undefined || span === undefined) return
          span.attribute("toolgate.stage", stage)
          span.attribute("toolgate.outcome", went ? "went on" : "ended the call")
          spans.end(span, ended, exit, went ? undefined : errorOf(exit.cause, span))
        }
        const running = begun(run)
        // What is over at once has made no span of its own, and needs none to be below.
        if (Exit.isExit(running)) {
          end(running)
          return running
        }
        return Effect.onExit(below(running, span, quiet), (exit) => {
          end(exit)
          return Effect.void
        })
      },

      decided: ({ by, decided, tool, verdict }) => {
        decisions.of(nameOf(tool), decided, verdict, by).updateUnsafe(1, context)
        if (latest === undefined) return
        latest.attribute("toolgate.decided", decided)
        latest.attribute("toolgate.verdict", verdict)
        latest.attribute("toolgate.decider", by)
      }
    }
  }

  return (run) =>
    Effect.withFiber((fiber) =>
      Effect.flatMapEager(CallSpans.make("toolgate.call", fiber), (spans) => {
        const { context } = fiber
        const clock = fiber.getRef(Clock.Clock)
        const started = clock.monotonicTimeNanosUnsafe()
        const watch = watchOf(spans, clock, context)
        const running = Effect.suspend(() => run(watch))
        return Effect.onExit(below(running, spans?.call, quiet), (exit) => {
          const ended = clock.monotonicTimeNanosUnsafe()
          const facts = Exit.isSuccess(exit) ? exit.value.facts : undefined
          // A call that was stopped or interrupted says nothing of its tool itself.
          const tool = nameOf(facts?.tool ?? watch.tool())
          const outcome = facts?.outcome ?? "interrupted"
          calls.of(tool, outcome, facts?.error ?? "none").updateUnsafe(1, context)
          callDuration.of(tool, outcome).updateUnsafe(inMillis(ended - started), context)
          if (spans === undefined) return Effect.void
          const { call } = spans
          call.attribute("toolgate.tool", tool)
          call.attribute("toolgate.outcome", outcome)
          if (facts?.error !== undefined) call.attribute("error.type", facts.error)
          const failed = facts?.outcome === "failed" || facts?.outcome === "internal"
          spans.end(call, ended, exit, failed ? facts.error ?? "Error" : undefined)
          return Effect.void
        })
      })
    )
}

/**
 * Runs an effect below a span. Where it is quiet, its own spans are kept away from the tracer, and what it logs and
 * the attributes that it sets away from the span.
 */
const below = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  span: Tracer.Span | undefined,
  quiet: boolean
): Effect.Effect<A, E, R> =>
  span === undefined ? run : Effect.updateContext(run, (outer: Context.Context<R>) =>
    quiet
      // Only its name and place: what runs below can't write into it.
      ? Context.add(Context.add(outer, Tracer.ParentSpan, Tracer.externalSpan(span)), TracerEnabled, false)
      : Context.add(outer, Tracer.ParentSpan, span))

const inMillis = (nanos: bigint): number => Number(nanos) / 1e6

/** A stage that throws has ended like one that dies. */
const begun = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return run()
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Names the error that a stage ended with. Its span fails with a fault of ours alone. */
const errorOf = (cause: Cause.Cause<unknown>, span: Tracer.Span): string | undefined => {
  if (Cause.hasInterruptsOnly(cause)) return undefined
  const error = classify(Cause.squash(cause))
  span.attribute("error.type", error)
  return Cause.hasDies(cause) ? error : undefined
}

// A tool can have its errors named by chance; a collector of numbers must not pay for that.
const mostSeries = 1_000

/** A family of metrics, one for each combination of labels, made when it is first needed. */
const family = <A>(
  names: ReadonlyArray<string>,
  make: (attributes: { readonly [name: string]: string }) => Metric.Metric<number, A>
) => {
  const known = new Map<string, Metric.Metric<number, A>>()
  return {
    of: (...labels: ReadonlyArray<string>): Metric.Metric<number, A> => {
      const key = labels.join("\n")
      const found = known.get(key)
      if (found !== undefined) return found
      const told = known.size < mostSeries ? labels : labels.map(() => "other")
      const metric = make(Object.fromEntries(names.map((name, at) => [name, told[at] ?? "none"])))
      if (known.size < mostSeries) known.set(key, metric)
      return metric
    }
  }
}

// dprint-ignore
const boundaries: ReadonlyArray<number> = [
  0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500,
  1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 600_000
]

const timed = (attributes: { readonly [name: string]: string }) => ({ ...attributes, unit: "milliseconds" })

const calls = family(
  ["tool", "outcome", "error"],
  (attributes) => Metric.counter("toolgate.calls", { description: "Calls that ended", incremental: true, attributes })
)

const decisions = family(
  ["tool", "decided", "verdict", "by"],
  (attributes) =>
    Metric.counter("toolgate.decisions", { description: "Calls that were decided", incremental: true, attributes })
)

const callDuration = family(
  ["tool", "outcome"],
  (attributes) =>
    Metric.histogram("toolgate.call.duration", {
      description: "How long a call took, in ms",
      boundaries,
      attributes: timed(attributes)
    })
)

const stageDuration = family(
  ["stage", "outcome"],
  (attributes) =>
    Metric.histogram("toolgate.stage.duration", {
      description: "How long a stage took, in ms",
      boundaries,
      attributes: timed(attributes)
    })
)

const ofStage = (stage: Stage) => ({
  name: `toolgate.${stage}`,
  wentOn: stageDuration.of(stage, "went on"),
  endedTheCall: stageDuration.of(stage, "ended the call")
})

/** What each stage is told by, looked up once. */
const ofStages: { readonly [S in Stage]: ReturnType<typeof ofStage> } = {
  lookup: ofStage("lookup"),
  validate: ofStage("validate"),
  screen: ofStage("screen"),
  permission: ofStage("permission"),
  execute: ofStage("execute"),
  result: ofStage("result"),
  postHook: ofStage("postHook"),
  emit: ofStage("emit")
}
