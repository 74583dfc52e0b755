import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import * as CallSpans from "../../../src/layers/telemetry/CallSpans.ts"

/** A tracer, and what it was asked to make. */
const recorder = () => {
  const asked: Array<Parameters<Tracer.Tracer["span"]>[0]> = []
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      asked.push(options)
      spans.push(span)
      return span
    }
  })
  return { asked, spans, tracer }
}

const make = Effect.withFiber((fiber) => CallSpans.make("call", fiber))

const begun = Effect.map(make, (spans) => {
  if (spans === undefined) throw new Error("there is no tracer")
  return spans
})

const times = (span: Tracer.Span | undefined): ReadonlyArray<bigint> =>
  span?.status._tag === "Ended" ? [span.status.startTime, span.status.endTime] : []

describe("CallSpans", () => {
  it.effect("there are none without a tracer, and none where it is to hear nothing", () =>
    Effect.gen(function*() {
      assert.isUndefined(yield* make)
      const quiet = Effect.withTracerEnabled(make, false)
      assert.isUndefined(yield* Effect.withTracer(quiet, recorder().tracer))
    }))

  it.effect.prop(
    "a stage's is what Effect itself would make there",
    {
      annotations: Schema.Record(Schema.Literals(["tenant", "__proto__", "turn"]), Schema.String),
      linked: Schema.Boolean,
      minimum: Schema.Literals(["All", "Info", "None"]),
      sampled: Schema.Boolean
    },
    ({ annotations, linked, minimum, sampled }) => {
      const { asked, spans, tracer } = recorder()
      const other = Tracer.externalSpan({ traceId: "t", spanId: "s", sampled })
      return Effect.gen(function*() {
        const { begin, call } = yield* begun
        begin("stage", 0n)
        yield* Effect.makeSpan("stage", { parent: call })
        const [, ours, theirs] = asked.map(({ startTime: _, ...options }) => options)
        assert.deepStrictEqual(ours, theirs)
        assert.deepStrictEqual(Option.getOrUndefined(ours?.parent ?? Option.none()), call)
        assert.deepStrictEqual(spans[1]?.attributes, spans[2]?.attributes)
      }).pipe(
        Effect.annotateSpans(annotations),
        (run) => linked ? Effect.linkSpans(run, other) : run,
        Effect.withParentSpan(other),
        Effect.provideService(Tracer.MinimumTraceLevel, minimum),
        Effect.withTracer(tracer)
      )
    }
  )

  it.effect("a clock that is set back meanwhile makes no span shorter than nothing", () =>
    Effect.gen(function*() {
      const { spans, tracer } = recorder()
      yield* TestClock.setTime(1_000)
      yield* Effect.gen(function*() {
        const { begin, call, end } = yield* begun
        const now = yield* Clock.monotonicTimeNanos
        const stage = begin("stage", now)
        yield* TestClock.setTime(500)
        end(stage, now + 2_000_000n, Exit.void, undefined)
        end(call, now + 3_000_000n, Exit.void, undefined)
      }).pipe(Effect.withTracer(tracer))
      const [call, stage] = spans.map(times)
      assert.deepStrictEqual(stage, [1_000_000_000n, 1_002_000_000n])
      assert.deepStrictEqual(call, [1_000_000_000n, 1_003_000_000n])
    }))

  it.effect("keeps no time where it is told to keep none", () =>
    Effect.gen(function*() {
      const { spans, tracer } = recorder()
      yield* TestClock.setTime(1_000)
      yield* Effect.gen(function*() {
        const { begin, call, end } = yield* begun
        end(begin("stage", 1n), 2n, Exit.void, undefined)
        end(call, 3n, Exit.void, undefined)
      }).pipe(Effect.provideService(References.TracerTimingEnabled, false), Effect.withTracer(tracer))
      assert.deepStrictEqual(spans.map(times), [[0n, 0n], [0n, 0n]])
    }))

  it.effect("of an error it tells the name and nothing else", () =>
    Effect.gen(function*() {
      const { spans, tracer } = recorder()
      const { begin, end } = yield* Effect.withTracer(begun, tracer)
      end(begin("stage", 0n), 1n, Exit.die(new Error("open /home/ann")), "Error:ENOENT")
      const { status } = spans[1] ?? {}
      const exit = status?._tag === "Ended" ? status.exit : Exit.void
      const error = Exit.isFailure(exit) ? Option.getOrUndefined(Exit.findErrorOption(exit)) : undefined
      assert.instanceOf(error, Error)
      assert.deepStrictEqual([error?.name, error?.message, error?.stack], [
        "Error:ENOENT",
        "Error:ENOENT",
        "Error:ENOENT"
      ])
    }))
})
