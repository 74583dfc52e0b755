import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Flusher } from "effect/observability/OtlpExporter"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { AuditEntry } from "../../src/domain/AuditEntry.ts"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { textOf, ToolResult } from "../../src/domain/ToolResult.ts"
import { ToolFailed } from "../../src/errors/ExecuteError.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { REPL } from "../../src/repl/REPL.ts"
import * as Sessions from "../../src/repl/Sessions.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import { CallEvents } from "../../src/services/CallEvents.ts"
import { atLimit } from "../support/atLimit.ts"
import { collector, spansOf } from "../support/collector.ts"
import { context, services, use } from "../support/services.ts"
import { oddCode } from "./oddCode.ts"

const tool = (
  name: string,
  handler: (input: { readonly n?: number }, context: Tool.ToolContext) => Effect.Effect<unknown, unknown>,
  safe = true
) =>
  Tool.make({
    name,
    description: "a tool",
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => safe,
    check: () => Effect.succeed({ _tag: "Allow", reason: "a test" }),
    handler
  })

const echo = tool("Echo", ({ n }) => Effect.succeed(`echo ${n}`))

const governed = (options: {
  readonly tools?: ReadonlyArray<Tool.Tool>
  readonly deny?: ReadonlyArray<string>
  readonly most?: number
  readonly unused?: Effect.Effect<void>
} = {}): Layer.Layer<Pipeline> =>
  layer(context).pipe(
    Layer.provide(Layer.provideMerge(
      Layer.provide(
        ToolRegistryLayers.layerTools([REPL, ...options.tools ?? [echo]]),
        Sessions.layer({ most: options.most, unused: options.unused })
      ),
      services({ rules: RuleSourcesLayers.layerMemory({ texts: { session: { deny: options.deny ?? [] } } }) })
    ))
  )

const repl = (code: string, timeout?: number, id?: string) =>
  use("REPL", timeout === undefined ? { code } : { code, timeout }, id)

/** What the model reads, marked where it is an error. */
const run = (code: string, { session = "test", timeout }: { session?: string; timeout?: number } = {}) =>
  Effect.gen(function*() {
    const { content, is_error } = yield* (yield* Pipeline).run(repl(code, timeout), { ...context, session })
    return is_error === true ? `ERROR ${textOf(content)}` : textOf(content)
  })

const events = (code: string) =>
  Effect.flatMap(Pipeline, ({ stream }) => Stream.runCollect(stream(repl(code)))).pipe(
    Effect.map((all): ReadonlyArray<CallEvent> => all)
  )

describe("REPL", () => {
  it.live("a session keeps its state, and no other sees it", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* run("const a = 1; let n = 0; function up() { return ++n }"), "undefined")
      assert.strictEqual(yield* run("up(); up() + a"), "3")
      assert.strictEqual(yield* run("typeof up", { session: "other" }), "undefined")
      assert.strictEqual(yield* run("n"), "2")
    }).pipe(Effect.provide(governed())))

  it.live("what the console got comes before the value, as it happens and in the result", () =>
    Effect.gen(function*() {
      const all = yield* events("console.log('one'); console.error('two'); ({ three: 3 })")
      assert.deepStrictEqual(
        all.flatMap((event) => event._tag === "Progress" ? [[event.channel, event.text]] : []),
        [["stdout", "one\n"], ["stderr", "two\n"]]
      )
      assert.strictEqual(yield* run("console.log('one'); ({ three: 3 })"), "one\n{\"three\": 3}")
      assert.strictEqual(yield* run("console.log('one')"), "one")
      assert.match(yield* run("console.log('one'); throw new Error('two')"), /^ERROR one\nError: two/)
    }).pipe(Effect.provide(governed())))

  it.live("a flood on the console is kept in part, and says so", () =>
    Effect.gen(function*() {
      const result = yield* run("for (let i = 0; i < 300; i++) console.log('x'.repeat(1e4)); 'end'")
      assert.isBelow(result.length, 40_000)
      const all = yield* events("for (let i = 0; i < 300; i++) console.log('x'.repeat(1e4)); 'end'")
      const pieces = all.flatMap((event) => event._tag === "Progress" ? [event.text] : [])
      assert.isBelow(pieces.length, 300)
      assert.match(pieces.at(-1) ?? "", /… what the console got after this is left out\n$/)
    }).pipe(Effect.provide(governed())))

  it.live("each call that it makes is a call of its own, below the one that makes it", () => {
    const kept: Array<AuditEntry> = []
    const audit = Layer.succeed(AuditLog, { record: (entry) => Effect.sync(() => void kept.push(entry)) })
    return Effect.gen(function*() {
      const all = yield* events("await tools.Echo({ n: 1 }); await tools.Echo({ n: 2 })")
      assert.deepStrictEqual(
        all.flatMap((event) => event._tag === "Received" ? [[event.id, event.use.name, event.parent]] : []),
        [["toolu_1", "REPL", undefined], ["toolu_1_1", "Echo", "toolu_1"], ["toolu_1_2", "Echo", "toolu_1"]]
      )
      for (const id of ["toolu_1", "toolu_1_1", "toolu_1_2"]) {
        const mine = all.filter((event) => event.id === id)
        assert.deepStrictEqual(
          mine.flatMap((event) => event._tag === "StageStarted" ? [event.stage] : []),
          ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"]
        )
        assert.strictEqual(mine.filter(({ _tag }) => _tag === "Decided").length, 1)
        assert.deepInclude(mine.at(-1), { _tag: "Finished", outcome: "done" })
      }
      assert.deepInclude(all.at(-1), { _tag: "Finished", id: "toolu_1" })
      assert.deepStrictEqual(kept.map(({ by, id, parent, tool, verdict }) => [id, tool, verdict, by, parent]), [
        ["toolu_1", "REPL", "allow", "tool", undefined],
        ["toolu_1_1", "Echo", "allow", "tool", "toolu_1"],
        ["toolu_1_2", "Echo", "allow", "tool", "toolu_1"]
      ])
    }).pipe(Effect.provide(Layer.provide(governed(), audit)))
  })

  it.live("the span of a call that it makes is below that of its own execution", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* Effect.gen(function*() {
        yield* run("await tools.Echo({ n: 1 })")
        yield* (yield* Flusher).flush
      }).pipe(Effect.provide(Layer.merge(Layer.provide(governed(), TelemetryLayers.layer()), to.layer)))
      const spans = spansOf(to)
      const [outer, inner] = spans.filter(({ name }) => name === "toolgate.call")
      const executes = spans.filter(({ name }) => name === "toolgate.execute")
      assert.strictEqual(
        executes.find(({ parentSpanId }) => parentSpanId === outer?.spanId)?.spanId,
        inner?.parentSpanId
      )
      assert.strictEqual(spans.filter(({ parentSpanId }) => parentSpanId === inner?.spanId).length, 8)
      assert.strictEqual(spans.length, 18)
    })))

  it.live("what a rule denies is denied to the code, which may go another way", () =>
    Effect.gen(function*() {
      assert.match(yield* run("await tools.Echo({})"), /^ERROR Error: A rule \(`Echo`\) denies this use of Echo/)
      assert.strictEqual(yield* run("try { await tools.Echo({}) } catch { 'another way' }"), "another way")
      assert.match(yield* run("await tools.Echo({ n: 'x' })"), /^ERROR Error: <tool_use_error>/)
      assert.match(
        yield* run("tools.Echo({}); 'done'"),
        /^`tools\.Echo` failed, and nothing awaited it: Error: A rule \(`Echo`\) denies [\s\S]*\ndone$/
      )
    }).pipe(Effect.provide(governed({ deny: ["Echo"] }))))

  it.live("a rule may deny the tool itself", () =>
    Effect.gen(function*() {
      assert.match(yield* run("1"), /^ERROR A rule \(`REPL`\) denies this use of REPL/)
    }).pipe(Effect.provide(governed({ deny: ["REPL"] }))))

  it.live("a tool that fails throws what it failed with", () =>
    Effect.gen(function*() {
      const code = "try { await tools.Fails() } catch (error) { [error instanceof Error, error.message] }"
      assert.strictEqual(yield* run(code), "[true, \"broke\"]")
    }).pipe(
      Effect.provide(governed({ tools: [tool("Fails", () => Effect.fail(new ToolFailed({ reason: "broke" })))] }))
    ))

  it.live("calls that may overlap do, and any other runs alone, in the order of the code", () =>
    Effect.gen(function*() {
      const both = yield* Deferred.make<void>()
      let inside = 0
      const order: Array<string> = []
      const meets = tool("Meets", () =>
        Effect.suspend(() => {
          order.push("meets")
          return ++inside === 2 ? Deferred.succeed(both, undefined) : Deferred.await(both)
        }))
      let alone = 0
      const writes = tool("Writes", ({ n }) =>
        Effect.gen(function*() {
          order.push(`writes ${n}`)
          assert.strictEqual(++alone, 1)
          yield* Effect.yieldNow
          alone--
          return n
        }), false)
      const result = yield* run(
        "await Promise.all([tools.Meets(), tools.Meets(), tools.Writes({ n: 1 }), tools.Writes({ n: 2 }), tools.Echo({ n: 3 })]); 'done'"
      ).pipe(Effect.provide(governed({ tools: [meets, writes, echo] })))
      assert.strictEqual(result, "done")
      assert.deepStrictEqual(order, ["meets", "meets", "writes 1", "writes 2"])
    }))

  it.live("cancelling the call ends what it has made, and keeps the state where the code only waited", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const waits = tool("Waits", () =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        ))
      yield* Effect.gen(function*() {
        const { runAll } = yield* Pipeline
        const cancel = Effect.as(Deferred.await(begun), "cancelled" as const)
        const [result] = yield* runAll([repl("const kept = 1; await tools.Waits(); console.log('never')")], { cancel })
        assert.isTrue(result?.is_error)
        assert.match(textOf(result?.content ?? ""), /cancelled/)
        yield* Deferred.await(ended)
        assert.strictEqual(yield* run("kept"), "1")
      }).pipe(Effect.provide(governed({ tools: [waits] })))
    }))

  it.effect("an endless loop holds up nobody and costs its own session alone", () =>
    Effect.gen(function*() {
      yield* run("const other = 1", { session: "other" })
      yield* run("const mine = 1")
      const begun = yield* Deferred.make<void>()
      const looping = yield* run("console.log('begun'); while (true);", { timeout: 300 }).pipe(
        Effect.provideService(
          CallEvents,
          (event) => event._tag === "Progress" ? Deferred.succeed(begun, undefined) : Effect.void
        ),
        atLimit(300, Deferred.await(begun)),
        Effect.forkChild
      )
      assert.strictEqual(yield* run("other", { session: "other" }), "1")
      assert.strictEqual(
        yield* Fiber.join(looping),
        "ERROR begun\n[what it had declared is lost, and the next call begins anew]\nstopped at its time limit of 300 ms"
      )
      assert.strictEqual(yield* run("typeof mine"), "undefined")
      for (
        const code of [
          "for (;;) await null",
          "/(?:(?:(?:a)*)*)*b/.test('a'.repeat(1e6))",
          "({ get a() { for (;;); } }).a"
        ]
      ) {
        const stopped = yield* run(code, { timeout: 300 }).pipe(atLimit(300, Effect.void))
        assert.match(stopped, /^ERROR \[what it had declared is lost/, code)
      }
      assert.strictEqual(yield* run("other", { session: "other" }), "1")
    }).pipe(Effect.provide(governed())))

  it.live("a loop that is interrupted is ended, not waited for", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      yield* Effect.gen(function*() {
        const { run: pipelineRun } = yield* Pipeline
        const fiber = yield* Effect.forkChild(pipelineRun(repl("const mine = 1; await tools.Begun(); for (;;);")))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        const exit = yield* Fiber.await(fiber)
        assert.isTrue(exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause))
        assert.include(["undefined", "number"], yield* run("typeof mine"))
      }).pipe(Effect.provide(governed({ tools: [tool("Begun", () => Deferred.succeed(begun, undefined))] })))
    }))

  it.live("a session whose machine broke says so and begins anew", () =>
    Effect.gen(function*() {
      const broke = yield* run("const all = []; console.log('begun'); for (;;) all.push(new Array(1000).fill(1))")
      assert.strictEqual(
        broke,
        "ERROR begun\nthe session was ended, since its memory is full; what it had declared is lost, and the next call begins anew"
      )
      assert.strictEqual(yield* run("typeof all"), "undefined")
    }).pipe(Effect.provide(governed())))

  it.live("calling itself is refused, directly and through another tool", () =>
    Effect.gen(function*() {
      const refused = /code of a `REPL` call can't call `REPL` again/
      assert.match(yield* run("await tools.REPL({ code: '1' })"), refused)
      assert.match(yield* run("await tools.Agent()"), refused)
      assert.strictEqual(yield* run("1"), "1")
    }).pipe(Effect.provide(governed({
      tools: [
        tool("Agent", (_, { tools }) =>
          Effect.map(tools?.call("REPL", { code: "1" }) ?? Effect.die("no tools"), ({ content }) =>
            content))
      ]
    }))))

  it.live("of more sessions than there is room for the oldest is ended, and is told so", () =>
    Effect.gen(function*() {
      yield* run("const a = 1", { session: "a" })
      yield* run("const b = 1", { session: "b" })
      assert.strictEqual(yield* run("a", { session: "a" }), "1")
      yield* run("const c = 1", { session: "c" })
      assert.strictEqual(
        yield* run("typeof b", { session: "b" }),
        "[this session had been ended to make room for others, and began anew: what it had declared is lost]\nundefined"
      )
      assert.strictEqual(yield* run("c", { session: "c" }), "1")
    }).pipe(Effect.provide(governed({ most: 2 }))))

  it.effect("a session that was not used for long is ended, and is told so", () =>
    Effect.gen(function*() {
      yield* run("const a = 1")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(
        yield* run("typeof a"),
        "[this session had been ended after 30 minutes without a call, and began anew: what it had declared is lost]\n" +
          "undefined"
      )
    }).pipe(Effect.provide(governed({ unused: Effect.sleep("30 minutes") }))))

  it.live("calls of one session take turns", () =>
    Effect.gen(function*() {
      yield* run("let n = 0")
      const all = Array.from({ length: 5 }, () => run("const before = n; await tools.Echo({}); n = before + 1"))
      yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(yield* run("n"), "5")
    }).pipe(Effect.provide(governed())))

  it.live("code with a NUL character is refused, since it would end there", () =>
    Effect.gen(function*() {
      assert.match(yield* run("1;\0 2"), /NUL/)
      assert.strictEqual(yield* run("'a\\0b'.length"), "3")
    }).pipe(Effect.provide(governed())))

  it.live(
    "whatever the code, there is one result, well-formed, for the call that was made",
    () =>
      Effect.gen(function*() {
        const pipeline = yield* Pipeline
        for (const code of oddCode) {
          const result = yield* pipeline.run(repl(code, 20_000, "toolu_law"))
          assert.isTrue(Schema.is(ToolResult)(result), code)
          assert.strictEqual(result.tool_use_id, "toolu_law")
          assert.isTrue(textOf(result.content).isWellFormed(), code)
          assert.notMatch(textOf(result.content), /Internal error/, code)
        }
      }).pipe(Effect.provide(governed()))
  )
})
