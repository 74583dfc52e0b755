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
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { TracerEnabled } from "effect/References"
import * as Tracer from "effect/Tracer"
import { classify } from "../errors/classify.ts"
import { Telemetry, type Watcher } from "../services/Telemetry.ts"

/**
 * What may be told beyond what is safe to send anywhere.
 *
 * **Details**
 *
 * - `inside`: spans that tools, hooks and layers make themselves are kept, with
 *   their errors' messages. They may hold paths, commands and addresses.
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

  return {
    call: (run) =>
      watched("toolgate.call", run, within, (exit, duration, fiber, span) => {
        const facts = Exit.isSuccess(exit) ? exit.value.facts : undefined
        const tool = nameOf(facts?.tool)
        const outcome = facts?.outcome ?? "interrupted"
        calls.of(tool, outcome, facts?.error ?? "none").updateUnsafe(1, fiber.context)
        callDuration.of(tool, outcome).updateUnsafe(duration, fiber.context)
        if (span === undefined) return undefined
        span.attribute("toolgate.tool", tool)
        span.attribute("toolgate.outcome", outcome)
        if (facts?.error !== undefined) span.attribute("error.type", facts.error)
        return facts?.outcome === "failed" || facts?.outcome === "internal" ? facts.error ?? "Error" : undefined
      }),

    stage: (stage) => {
      const name = `toolgate.${stage}`
      const below = options.inside === true ? within : quietlyWithin
      const wentOn = stageDuration.of(stage, "went on")
      const endedTheCall = stageDuration.of(stage, "ended the call")
      const ended: Ended<unknown, unknown> = (exit, duration, fiber, span) => {
        const went = Exit.isSuccess(exit)
        const series = went ? wentOn : endedTheCall
        series.updateUnsafe(duration, fiber.context)
        if (span === undefined) return undefined
        span.attribute("toolgate.stage", stage)
        span.attribute("toolgate.outcome", went ? "went on" : "ended the call")
        if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return undefined
        const error = classify(Cause.squash(exit.cause))
        span.attribute("error.type", error)
        return Cause.hasDies(exit.cause) ? error : undefined
      }
      return (run) => watched(name, run, below, ended)
    },

    decided: ({ by, decided, tool, verdict }) =>
      Effect.withFiber((fiber) => {
        decisions.of(nameOf(tool), decided, verdict, by).updateUnsafe(1, fiber.context)
        const { span } = fiber.cache
        if (span?._tag === "Span") {
          span.attribute("toolgate.decided", decided)
          span.attribute("toolgate.verdict", verdict)
          span.attribute("toolgate.decider", by)
        }
        return Effect.void
      })
  }
}

/** What is told of an end. It gives the error that the span ends with. */
type Ended<A, E> = (
  exit: Exit.Exit<A, E>,
  duration: number,
  fiber: Fiber.Fiber<unknown, unknown>,
  span: Tracer.Span | undefined
) => string | undefined

/** Where an effect runs whose spans are below the one that is made for it. */
type Below = (span: Tracer.Span) => <R>(outer: Context.Context<R>) => Context.Context<R>

const within: Below = (span) => (outer) => Context.add(outer, Tracer.ParentSpan, span)

/** Keeps the spans from inside away from a tracer. */
const quietlyWithin: Below = (span) => (outer) => Context.add(within(span)(outer), TracerEnabled, false)

/** Runs an effect in a span of its own where a tracer is there, and tells how long it took. */
const watched = <A, E, R>(
  name: string,
  run: Effect.Effect<A, E, R>,
  below: Below,
  ended: Ended<A, E>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const { tracer, tracerEnabled } = fiber.cache
    if (tracer === undefined || !tracerEnabled) {
      const started = clock.monotonicTimeNanosUnsafe()
      return Effect.onExit(run, (exit) => {
        ended(exit, inMillis(clock.monotonicTimeNanosUnsafe() - started), fiber, undefined)
        return Effect.void
      })
    }
    return Effect.flatMap(Effect.makeSpan(name), (span) => {
      // A tracer may be told to keep no time.
      const started = span.status.startTime || clock.currentTimeNanosUnsafe()
      return Effect.onExit(Effect.updateContext(run, below(span)), (exit) => {
        // A clock that was set back meanwhile makes no call shorter than nothing.
        const time = clock.currentTimeNanosUnsafe()
        const now = time < started ? started : time
        span.end(now, safeExit(exit, ended(exit, inMillis(now - started), fiber, span)))
        return Effect.void
      })
    })
  })

const inMillis = (nanos: bigint): number => Number(nanos) / 1e6

/** A span that ends with an error tells its message and stack, which may hold anything. */
const safeExit = (exit: Exit.Exit<unknown, unknown>, error: string | undefined): Exit.Exit<void, Error> => {
  if (error === undefined) {
    return Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? Exit.interrupt() : Exit.void
  }
  const safe = new Error(error)
  safe.name = error
  safe.stack = error
  return Exit.fail(safe)
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
