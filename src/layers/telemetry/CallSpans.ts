/**
 * The spans of one call: its own, and below that one for each stage.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TracerSpanAnnotations, TracerSpanLinks, TracerTimingEnabled } from "effect/References"
import type * as Tracer from "effect/Tracer"

/**
 * The spans of one call.
 *
 * **Details**
 *
 * Their times are told in those of the monotonic clock, so that a clock that is
 * set back meanwhile makes none shorter than nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface CallSpans {
  readonly call: Tracer.Span
  /** Begins the span of a stage. */
  readonly begin: (name: string, at: bigint) => Tracer.Span
  /** Ends a span. Of what it ended with it tells no more than the name of an error. */
  readonly end: (span: Tracer.Span, at: bigint, exit: Exit.Exit<unknown, unknown>, error: string | undefined) => void
}

/**
 * Begins the span of the call that a fiber runs, where a tracer is there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (name: string, fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<CallSpans | undefined> => {
  const { tracer, tracerEnabled } = fiber.cache
  return tracer === undefined || !tracerEnabled
    ? Effect.undefined
    : Effect.map(Effect.makeSpan(name), (call) => below(call, tracer, fiber))
}

/** What a tracer wants to know of a span is the same for every stage: it is looked up once. */
const below = (call: Tracer.Span, tracer: Tracer.Tracer, fiber: Fiber.Fiber<unknown, unknown>): CallSpans => {
  const ahead = call.status.startTime - fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()
  const keepsTime = fiber.getRef(TracerTimingEnabled)
  const timeOf = (at: bigint): bigint => keepsTime ? at + ahead : 0n
  const attributes = Object.entries(fiber.getRef(TracerSpanAnnotations))
  const links = fiber.getRef(TracerSpanLinks)
  const parent = Option.some(call)
  return {
    call,
    begin: (name, at) => {
      const span = tracer.span({
        name,
        parent,
        annotations: Context.empty(),
        links: [...links],
        startTime: timeOf(at),
        kind: "internal",
        root: false,
        sampled: call.sampled
      })
      for (const [key, value] of attributes) span.attribute(key, value)
      return span
    },
    end: (span, at, exit, error) => span.end(timeOf(at), safeExit(exit, error))
  }
}

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
