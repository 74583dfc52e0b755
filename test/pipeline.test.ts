import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { CallEvent } from "../src/domain/CallEvent.ts"
import type { HookOutcome } from "../src/domain/Hook.ts"
import { nothingAfter, silent } from "../src/domain/Hook.ts"
import * as Tool from "../src/domain/Tool.ts"
import { textOf, ToolResult } from "../src/domain/ToolResult.ts"
import { ToolFailed } from "../src/errors/ExecuteError.ts"
import { ResultStoreFailed } from "../src/errors/ResultError.ts"
import * as ApproverLayers from "../src/layers/Approver.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { Approver } from "../src/services/Approver.ts"
import type { HookRunner } from "../src/services/HookRunner.ts"
import { ResultStore } from "../src/services/ResultStore.ts"
import { context, hooks, services, use } from "./support/services.ts"

const pipeline = (parts: Parameters<typeof services>[0]): Layer.Layer<Pipeline> =>
  layer(context).pipe(Layer.provide(services(parts)))

const probe = (options: {
  readonly handler: (input: { readonly n?: number }, context: Tool.ToolContext) => Effect.Effect<unknown, unknown>
  readonly safe?: boolean
  readonly check?: Effect.Effect<Tool.Opinion>
  readonly validation?: Effect.Effect<Tool.Validation>
  readonly render?: (value: unknown) => string
}) =>
  Tool.make({
    name: "Probe",
    description: "a tool",
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => options.safe ?? false,
    maxResultSizeChars: 500,
    ...(options.check === undefined ? {} : { check: () => options.check ?? Effect.die("no check") }),
    ...(options.validation === undefined ? {} : { validateInput: () => options.validation ?? Effect.die("none") }),
    ...(options.render === undefined ? {} : { render: options.render }),
    handler: options.handler
  })

const allowing = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })

/** Everything that a handler can do, by name, so that it can be drawn. */
const endings: { readonly [name: string]: Effect.Effect<unknown, unknown> } = {
  "gives a value": Effect.succeed({ fine: true }),
  "gives nothing": Effect.undefined,
  "gives what JSON can't say": Effect.succeed({ big: 10n, at: () => 1 }),
  "gives a circle": Effect.sync(() => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    return circle
  }),
  "gives a long text": Effect.succeed("long ".repeat(5_000)),
  "gives half a character": Effect.succeed("\ud83d"),
  "fails": Effect.fail(new ToolFailed({ reason: "no", exitCode: 1 })),
  "fails with a text": Effect.fail("no"),
  "fails with nothing": Effect.fail(undefined),
  "fails with null": Effect.fail(null),
  "dies": Effect.die(new TypeError("bug")),
  "dies of nothing": Effect.die(undefined),
  "interrupts itself": Effect.interrupt,
  "throws": Effect.sync(() => {
    throw new RangeError("thrown")
  }),
  "throws what throws when read": Effect.sync(() => {
    throw {
      get message(): string {
        throw new TypeError("no message")
      }
    }
  })
}

const hookEndings: { readonly [name: string]: Effect.Effect<HookOutcome> } = {
  silent: Effect.succeed(silent),
  allows: Effect.succeed({ ...silent, decision: "allow", source: "userSettings", allowsInput: true }),
  asks: Effect.succeed({ ...silent, decision: "ask" }),
  denies: Effect.succeed({ ...silent, decision: "deny", reason: "no" }),
  rewrites: Effect.succeed({ ...silent, rewritten: { n: 2 } }),
  "rewrites badly": Effect.succeed({ ...silent, rewritten: { n: "x" } }),
  dies: Effect.die(new TypeError("bug in the runner")),
  "interrupts itself": Effect.interrupt
}

const drawn = {
  ending: Schema.Literals(Object.keys(endings)),
  hook: Schema.Literals(Object.keys(hookEndings)),
  answer: Schema.Literals(["Once", "Denied", "Nobody"]),
  rule: Schema.Literals(["allow", "ask", "deny", "none"]),
  check: Schema.Literals(["NoOpinion", "Allow", "Ask", "Deny", "dies"]),
  validation: Schema.Literals(["Valid", "Refused", "Ask", "dies"]),
  store: Schema.Literals(["works", "fails", "dies"]),
  after: Schema.Literals(["nothing", "replaces", "dies"]),
  name: Schema.Literals(["Probe", "Prob", "toString", ""]),
  input: Schema.Union([Schema.Struct({ n: Schema.Unknown }), Schema.Unknown]),
  id: Schema.NonEmptyString
}

type Drawn = { readonly [K in keyof typeof drawn]: (typeof drawn)[K]["Type"] }

const answers = {
  Once: { _tag: "Once" },
  Denied: { _tag: "Denied" },
  Nobody: { _tag: "Nobody", why: "nobody is there" }
} as const

const opinions: { readonly [K in Drawn["check"]]: Effect.Effect<Tool.Opinion> } = {
  NoOpinion: Effect.succeed({ _tag: "NoOpinion" }),
  Allow: Effect.succeed({ _tag: "Allow", reason: "fine" }),
  Ask: Effect.succeed({ _tag: "Ask", reason: "odd" }),
  Deny: Effect.succeed({ _tag: "Deny", reason: "bad" }),
  dies: Effect.die("bug in the check")
}

const validations: { readonly [K in Drawn["validation"]]: Effect.Effect<Tool.Validation> } = {
  Valid: Effect.succeed({ _tag: "Valid" }),
  Refused: Effect.succeed({ _tag: "Refused", message: "no", code: 1 }),
  Ask: Effect.succeed({ _tag: "Ask", reason: "look" }),
  dies: Effect.die("bug in the validation")
}

const world = (given: Drawn, started: { count: number }): Layer.Layer<Pipeline> => {
  const tool = probe({
    handler: () =>
      Effect.suspend(() => {
        started.count++
        return endings[given.ending] ?? Effect.die("not drawn")
      }),
    check: opinions[given.check],
    validation: validations[given.validation]
  })
  const keep = given.store === "works"
    ? Effect.succeed("/state/kept")
    : given.store === "fails"
    ? Effect.fail(new ResultStoreFailed({ reason: "full" }))
    : Effect.die("bug in the store")
  return pipeline({
    tools: [tool],
    rules: RuleSourcesLayers.layerMemory(
      given.rule === "none" ? {} : { texts: { session: { [given.rule]: ["Probe"] } } }
    ),
    hooks: hooks({
      preToolUse: () => hookEndings[given.hook] ?? Effect.die("not drawn"),
      postToolUse: () =>
        given.after === "dies"
          ? Effect.die("bug in a hook")
          : Effect.succeed(
            given.after === "replaces" ? { ...nothingAfter, replacement: { value: { new: 1 } } } : nothingAfter
          )
    }),
    approver: ApproverLayers.layerScripted([answers[given.answer]]),
    results: Layer.succeed(ResultStore, { keep: () => keep, open: () => Effect.die("not used") })
  })
}

describe("Pipeline.run", () => {
  it.effect.prop(
    "never fails and never dies: one result, for this call, well-formed",
    drawn,
    (given) =>
      Effect.gen(function*() {
        const started = { count: 0 }
        const result = yield* Effect.flatMap(Pipeline, (one) => one.run(use(given.name, given.input, given.id))).pipe(
          Effect.provide(world(given, started))
        )
        assert.isTrue(Schema.is(ToolResult)(result))
        assert.strictEqual(result.tool_use_id, given.id)
        assert.isTrue(textOf(result.content).isWellFormed())
        assert.isAtMost(started.count, 1)
      }),
    { arbitrary: { runs: 1_000 } }
  )

  it.effect.prop(
    "a denied call's handler is never started, and a started one was permitted",
    drawn,
    (given) =>
      Effect.gen(function*() {
        const started = { count: 0 }
        const events = yield* Effect.flatMap(
          Pipeline,
          (one) => Stream.runCollect(one.stream(use("Probe", { n: 1 }, given.id)))
        ).pipe(Effect.provide(world(given, started)))
        const finished = events.find((event) => event._tag === "Finished")
        const decided = events.find((event) => event._tag === "Decided")
        if (finished?.outcome === "denied" || finished?.outcome === "wrong") assert.strictEqual(started.count, 0)
        if (started.count > 0) {
          assert.isDefined(decided)
          assert.notStrictEqual(decided?.decision.verdict, "deny")
          if (decided?.decision.verdict === "ask") assert.strictEqual(given.answer, "Once")
        }
      }),
    { arbitrary: { runs: 1_000 } }
  )

  it.effect("goes through the eight stages in order", () =>
    Effect.gen(function*() {
      const events = yield* Effect.flatMap(Pipeline, (one) => Stream.runCollect(one.stream(use("Probe"))))
      assert.deepStrictEqual(
        events.flatMap((event) => event._tag === "StageStarted" ? [event.stage] : []),
        ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"]
      )
      assert.deepStrictEqual(events[0], { _tag: "Received", id: "toolu_1", use: use("Probe") })
      assert.strictEqual(events.at(-1)?._tag, "Finished")
    }).pipe(Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.succeed("ok") })], rules: allowing }))))

  it.effect("a call may belong to another session and directory than the Layer's own", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const result = yield* one.run(use("Probe"), { session: "other", cwd: "/elsewhere", directories: [] })
      assert.strictEqual(textOf(result.content), "other /elsewhere")
    }).pipe(Effect.provide(pipeline({
      tools: [probe({ handler: (_, { call }) => Effect.succeed(`${call.session} ${call.cwd}`) })],
      rules: allowing
    }))))
})

describe("Pipeline.stream", () => {
  it.effect("waits for whoever watches", () =>
    Effect.gen(function*() {
      const sent = yield* Ref.make(0)
      const tool = probe({
        handler: (_, { progress }) =>
          Effect.forEach(
            Array.from({ length: 1_000 }, (_, at) => at),
            (at) => Effect.andThen(progress({ channel: "stdout", text: String(at) }), Ref.set(sent, at)),
            { discard: true }
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const first = yield* Stream.runHead(Stream.filter(one.stream(use("Probe")), (event) => event._tag === "Progress"))
      assert.isTrue(Option.isSome(first))
      assert.isBelow(yield* Ref.get(sent), 100)
    }))

  it.effect("tells that a hook ended the turn, before and after a tool, ahead of the result", () =>
    Effect.gen(function*() {
      const told = (parts: Partial<HookRunner["Service"]>) =>
        Effect.flatMap(Pipeline, (one) => Stream.runCollect(one.stream(use("Probe")))).pipe(
          Effect.provide(pipeline({
            tools: [probe({ handler: () => Effect.succeed("ok") })],
            rules: allowing,
            hooks: hooks(parts)
          })),
          Effect.map((events) => events.slice(-2))
        )
      const ended: CallEvent = { _tag: "TurnEnded", id: "toolu_1", reason: "enough" }

      const before = yield* told({
        preToolUse: () => Effect.succeed({ ...silent, decision: "deny", reason: "no", endsTurn: "enough" })
      })
      assert.deepStrictEqual(before[0], ended)
      assert.strictEqual(before[1]?._tag === "Finished" ? before[1].outcome : undefined, "denied")

      const after = yield* told({ postToolUse: () => Effect.succeed({ ...nothingAfter, endsTurn: "enough" }) })
      assert.deepStrictEqual(after[0], ended)
      assert.strictEqual(after[1]?._tag === "Finished" ? after[1].outcome : undefined, "done")

      assert.strictEqual((yield* told({}))[0]?._tag, "StageEnded")
    }))

  it.effect("a cancelled call is answered and its tool is ended", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const started = yield* Deferred.make<void>()
      const tool = probe({
        handler: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const cancel = Effect.as(Deferred.await(started), "interrupted" as const)
      const events = yield* Stream.runCollect(one.stream(use("Probe"), { cancel }))
      const last = events.at(-1)
      assert.strictEqual(last?._tag === "Finished" ? last.outcome : undefined, "stopped")
      assert.isTrue(yield* Deferred.isDone(ended))
    }))
})

describe("Pipeline.runAll", () => {
  const batch = (ids: ReadonlyArray<string>) => ids.map((id, n) => use("Probe", { n }, id))

  it.effect("results come in the order of the calls, one for each, whatever some of them do", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const results = yield* one.runAll([
        use("Probe", {}, "t1"),
        use("Probe", { n: "x" }, "t2"),
        use("Nope", {}, "t3"),
        use("Probe", {}, "t4")
      ])
      assert.deepStrictEqual(results.map(({ tool_use_id }) => tool_use_id), ["t1", "t2", "t3", "t4"])
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [false, true, true, false])
    }).pipe(Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.succeed("ok") })], rules: allowing }))))

  it.effect("two calls with one id are refused before anything runs", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      const refused = yield* Effect.flip(one.runAll(batch(["t1", "t2", "t1"])))
      assert.strictEqual(refused.id, "t1")
    }).pipe(
      Effect.provide(pipeline({ tools: [probe({ handler: () => Effect.die("must not run") })], rules: allowing }))
    ))

  it.effect("calls that may overlap do, others run alone", () =>
    Effect.gen(function*() {
      const most = (safe: boolean) =>
        Effect.gen(function*() {
          const running = yield* Ref.make(0)
          const highest = yield* Ref.make(0)
          const tool = probe({
            safe,
            handler: () =>
              Effect.gen(function*() {
                const now = yield* Ref.updateAndGet(running, (count) => count + 1)
                yield* Ref.update(highest, (before) => Math.max(before, now))
                yield* Effect.yieldNow
                yield* Effect.yieldNow
                yield* Ref.update(running, (count) => count - 1)
              })
          })
          const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
          yield* one.runAll(batch(Array.from({ length: 30 }, (_, at) => `t${at}`)))
          return yield* Ref.get(highest)
        })
      assert.strictEqual(yield* most(false), 1)
      assert.strictEqual(yield* most(true), 10)
    }))

  it.effect("a cancelled batch answers every call, the finished with theirs", () =>
    Effect.gen(function*() {
      const second = yield* Deferred.make<void>()
      const tool = probe({
        handler: ({ n }) =>
          n === 0 ? Effect.succeed("done") : Effect.andThen(Deferred.succeed(second, undefined), Effect.never)
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const results = yield* one.runAll(batch(["t1", "t2", "t3"]), {
        cancel: Effect.as(Deferred.await(second), "cancelled" as const)
      })
      assert.deepStrictEqual(results.map(({ is_error }) => is_error === true), [false, true, true])
      assert.strictEqual(textOf(results[0]?.content ?? ""), "done")
    }))

  it.effect("interrupting the fiber from outside stays interruption and ends what runs", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const tool = probe({
        handler: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
      })
      const one = yield* Pipeline.pipe(Effect.provide(pipeline({ tools: [tool], rules: allowing })))
      const fiber = yield* Effect.forkChild(one.runAll(batch(["t1"])))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(ended))
    }))
})

describe("Pipeline.check", () => {
  it.effect("decides and runs nothing", () =>
    Effect.gen(function*() {
      const one = yield* Pipeline
      assert.strictEqual((yield* one.check(use("Probe"))).verdict, "allow")
      assert.strictEqual((yield* Effect.flip(one.check(use("Nope"))))._tag, "ToolNotFound")
      assert.strictEqual((yield* Effect.flip(one.check(use("Probe", { n: "x" }))))._tag, "InputInvalid")
    }).pipe(Effect.provide(pipeline({
      tools: [probe({ handler: () => Effect.die("must not run") })],
      rules: allowing,
      hooks: hooks({ preToolUse: () => Effect.die("must not run") }),
      approver: Layer.succeed(Approver, { ask: () => Effect.die("must not be asked") })
    }))))
})
