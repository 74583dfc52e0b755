import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { Flusher } from "effect/observability/OtlpExporter"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { standard } from "../../src/domain/AuditEntry.ts"
import { nothingAfter, silent } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import { AuditFailed } from "../../src/errors/AuditError.ts"
import { McpCallFailed, ToolFailed } from "../../src/errors/ExecuteError.ts"
import { ResultStoreFailed } from "../../src/errors/ResultError.ts"
import { StoreFailed } from "../../src/errors/SessionError.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as DenialTrackerLayers from "../../src/layers/DenialTracker.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { REPL } from "../../src/repl/REPL.ts"
import * as Sessions from "../../src/repl/Sessions.ts"
import { AuditLog } from "../../src/services/AuditLog.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"
import { attributesOf, collector, spansOf } from "../support/collector.ts"
import { context, hooks, services, use } from "../support/services.ts"

const pipeline = (
  parts: Parameters<typeof services>[0],
  options: TelemetryLayers.TelemetryOptions = {}
): Layer.Layer<Pipeline> =>
  layer(context).pipe(Layer.provide(services(parts)), Layer.provide(TelemetryLayers.layer(options)))

const tool = (handler: (input: { readonly text?: string }) => Effect.Effect<unknown, unknown>, name = "Probe") =>
  Tool.make({
    name,
    description: "a tool",
    input: Schema.Struct({ text: Schema.optionalKey(Schema.String) }),
    concurrencySafe: () => true,
    maxResultSizeChars: 200,
    handler
  })

const allowing = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe", "mcp__acme__pay"] } } })

const stages = ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"]

/** Numbers by name and labels. Each test has a registry of its own. */
const numbers = Effect.map(Metric.snapshot, (all) =>
  all.filter(({ id }) => id.startsWith("toolgate.")).map((one) => ({
    name: one.id,
    labels: one.attributes ?? {},
    count: "count" in one.state ? Number(one.state.count) : 0
  })))

/** What no other text holds by chance. */
const hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{20}$/))

const ownNumbers = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(effect, Metric.MetricRegistry, new Map()))

/** One call, and all that was told of it sent. */
const called = Effect.gen(function*() {
  yield* (yield* Pipeline).run(use("Probe"))
  yield* (yield* Flusher).flush
})

describe("Telemetry", () => {
  it.live("one span a call and one a stage, below the span of whoever asked, sent to a collector", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* Effect.gen(function*() {
        const one = yield* Pipeline
        yield* Effect.withSpan(one.run(use("Probe")), "turn")
        yield* (yield* Flusher).flush
      }).pipe(
        Effect.provide(
          Layer.merge(
            pipeline({ tools: [tool(() => Effect.withSpan(Effect.succeed(1), "inside"))], rules: allowing }),
            to.layer
          )
        )
      )
      const spans = spansOf(to)
      const turn = spans.find(({ name }) => name === "turn")
      const call = spans.find(({ name }) => name === "toolgate.call")
      assert.strictEqual(call?.parentSpanId, turn?.spanId)
      assert.deepStrictEqual(
        spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId).map(({ name }) => name),
        stages.map((stage) => `toolgate.${stage}`)
      )
      assert.strictEqual(spans.length, 10)
      assert.deepStrictEqual(call === undefined ? {} : attributesOf(call), {
        "toolgate.tool": "Probe",
        "toolgate.outcome": "done"
      })
      const permission = spans.find(({ name }) => name === "toolgate.permission")
      assert.deepStrictEqual(permission === undefined ? {} : attributesOf(permission), {
        "toolgate.stage": "permission",
        "toolgate.outcome": "went on",
        "toolgate.decided": "allow",
        "toolgate.verdict": "allow",
        "toolgate.decider": "rule"
      })
    })))

  it.live("spans from inside are kept when the application wants them", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* called.pipe(
        Effect.provide(Layer.merge(
          pipeline({ tools: [tool(() => Effect.withSpan(Effect.succeed(1), "inside"))], rules: allowing }, {
            inside: true
          }),
          to.layer
        ))
      )
      const spans = spansOf(to)
      const execute = spans.find(({ name }) => name === "toolgate.execute")
      assert.strictEqual(spans.find(({ name }) => name === "inside")?.parentSpanId, execute?.spanId)
    })))

  it.live("a failed call ends its span with the name of the error and nothing else", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* called.pipe(
        Effect.provide(Layer.merge(
          pipeline({
            tools: [tool(() => Effect.fail(Object.assign(new Error("open /home/ann"), { code: "ENOENT" })))],
            rules: allowing
          }),
          to.layer
        ))
      )
      const call = spansOf(to).find(({ name }) => name === "toolgate.call")
      assert.strictEqual(call?.status.code, 2)
      assert.strictEqual(call?.status.message, "Error:ENOENT")
      assert.strictEqual(call === undefined ? "" : attributesOf(call)["error.type"], "Error:ENOENT")
      assert.notInclude(JSON.stringify(call), "ann")
      assert.notInclude(JSON.stringify(call), import.meta.dirname)
    })))

  it.live("a stage that throws ends its span, and the call goes on to its end", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* called.pipe(
        Effect.provideService(References.MinimumLogLevel, "None"),
        Effect.provide(Layer.merge(
          pipeline({
            tools: [{
              ...tool(() => Effect.succeed(1)),
              prepare: () => {
                throw new RangeError("/home/ann")
              }
            }],
            rules: allowing
          }),
          to.layer
        ))
      )
      const spans = spansOf(to)
      assert.deepStrictEqual(
        spans.map(({ name }) => name),
        ["toolgate.call", "toolgate.lookup", "toolgate.validate", "toolgate.emit"]
      )
      const validate = spans.find(({ name }) => name === "toolgate.validate")
      assert.strictEqual(validate?.status.message, "RangeError")
      assert.deepStrictEqual(validate === undefined ? {} : attributesOf(validate), {
        "toolgate.stage": "validate",
        "toolgate.outcome": "ended the call",
        "error.type": "RangeError"
      })
      assert.notInclude(JSON.stringify(spans), "ann")
    })))

  it.effect("counts calls, decisions and stages, with who decided", () =>
    ownNumbers(
      Effect.gen(function*() {
        const one = yield* Pipeline
        yield* one.run(use("Probe"))
        yield* one.run(use("Other"))
        yield* one.run(use("mcp__acme__pay"))
        yield* one.run(use("secret name"))
        const seen = yield* numbers
        const find = (name: string, labels: Record<string, string>) =>
          seen.find((one) =>
            one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value)
          )?.count
        assert.strictEqual(find("toolgate.calls", { tool: "Probe", outcome: "done", error: "none" }), 1)
        assert.strictEqual(find("toolgate.calls", { tool: "mcp", outcome: "failed", error: "UnknownError" }), 1)
        assert.strictEqual(find("toolgate.calls", { tool: "unknown", outcome: "wrong", error: "ToolNotFound" }), 1)
        assert.strictEqual(
          find("toolgate.calls", { tool: "Other", outcome: "denied", error: "PermissionDenied" }),
          1
        )
        assert.strictEqual(
          find("toolgate.decisions", { tool: "Probe", decided: "allow", verdict: "allow", by: "rule" }),
          1
        )
        assert.strictEqual(
          find("toolgate.decisions", { tool: "Other", decided: "ask", verdict: "deny", by: "nobody" }),
          1
        )
        for (const stage of stages) {
          assert.isAtLeast(find("toolgate.stage.duration", { stage, outcome: "went on" }) ?? 0, 2, stage)
        }
        assert.strictEqual(find("toolgate.stage.duration", { stage: "lookup", outcome: "ended the call" }), 1)
        assert.strictEqual(find("toolgate.call.duration", { tool: "Probe", outcome: "done" }), 1)
      }).pipe(Effect.provide(pipeline({
        tools: [
          tool(() => Effect.succeed("fine")),
          tool(() => Effect.succeed("fine"), "Other"),
          tool(() => Effect.fail("no"), "mcp__acme__pay")
        ],
        rules: allowing
      })))
    ))

  const asked = {
    Probe: "Probe",
    OldProbe: "Probe",
    mcp__acme__pay: "mcp",
    "secret name": "unknown",
    mcp__acme__slow: "unknown"
  }
  const endings = ["done", "stopped before its turn", "stopped", "interrupted", "dies", "denied"] as const

  it.effect("however a call ends, it is counted under the name of its tool, and under no name that nobody knows", () =>
    Effect.gen(function*() {
      for (const ending of endings) {
        for (const [name, told] of Object.entries(asked)) {
          // What only a server could know is waited for by nobody but a call that goes on.
          if (name === "mcp__acme__slow" && !/stopped|interrupted/.test(ending)) continue
          yield* ownNumbers(Effect.gen(function*() {
            const started = yield* Deferred.make<void>()
            const behaves = Effect.andThen(
              Deferred.succeed(started, undefined),
              ending === "done" ? Effect.succeed(1) : ending === "dies" ? Effect.die("") : Effect.never
            )
            const registry = ToolRegistryLayers.layerLater("mcp__acme__slow", Effect.never).pipe(
              Layer.provide(ToolRegistryLayers.layerTools([
                { ...tool(() => behaves), aliases: ["OldProbe"] },
                { ...tool(() => behaves, "mcp__acme__pay"), origin: "mcp", server: "acme" }
              ]))
            )
            const rules = ending === "denied" ? RuleSourcesLayers.layerMemory() : allowing
            const one = yield* Effect.provide(
              Pipeline,
              layer(context).pipe(
                Layer.provide(Layer.merge(services({ rules }), registry)),
                Layer.provide(TelemetryLayers.layer())
              )
            )
            const begun = told === "unknown" ? Effect.yieldNow : Deferred.await(started)
            const cancel = ending === "stopped before its turn"
              ? Effect.succeed("cancelled" as const)
              : ending === "stopped"
              ? Effect.as(begun, "interrupted" as const)
              : Effect.never
            const running = yield* Effect.forkChild(Stream.runDrain(one.stream(use(name), { cancel })))
            if (ending === "interrupted") {
              yield* begun
              yield* Fiber.interrupt(running)
            } else yield* Fiber.join(running)
            const counted = (yield* numbers).filter((one) => one.name === "toolgate.calls" && one.count > 0)
            assert.deepStrictEqual(counted.map(({ labels }) => labels.tool), [told], `${name}, ${ending}`)
          }))
        }
      }
    }))

  it.live("an interrupted call ends its spans", () =>
    Effect.scoped(Effect.gen(function*() {
      const to = yield* collector
      yield* Effect.gen(function*() {
        const started = yield* Deferred.make<void>()
        const one = yield* Effect.provide(
          Pipeline,
          pipeline({
            tools: [tool(() => Effect.andThen(Deferred.succeed(started, undefined), Effect.never))],
            rules: allowing
          })
        )
        const running = yield* Effect.forkChild(one.run(use("Probe")))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(running)
        yield* (yield* Flusher).flush
      }).pipe(Effect.provide(to.layer))
      const spans = spansOf(to)
      assert.include(spans.map(({ name }) => name), "toolgate.execute")
      const call = spans.find(({ name }) => name === "toolgate.call")
      assert.strictEqual(call === undefined ? "" : attributesOf(call)["toolgate.outcome"], "interrupted")
    })))

  // Everywhere that a person's own words can be.
  const places = {
    handler: Schema.Literals([
      "gives",
      "long",
      "fails",
      "fails with a name",
      "fails by errno",
      "dies",
      "named span",
      "annotates",
      "logs"
    ]),
    // What lets a call through is drawn more often, since most that could leak comes after it.
    hook: Schema.Literals(["silent", "talks", "notes", "denies", "rewrites badly", "dies"]),
    rule: Schema.Literals(["allow", "allow by text", "allow the tool", "deny", "ask", "none"]),
    approver: Schema.Literals(["declines", "fails"]),
    store: Schema.Literals(["works", "fails", "dies"]),
    sessions: Schema.Literals(["work", "fail"]),
    name: Schema.Literals(["Probe", "secret", "of a server"]),
    audit: Schema.Literals(["off", "fails", "fails and is required"]),
    level: Schema.Literals(["Info", "Debug"]),
    hex
  }

  it.live.prop(
    "nothing of a person's is in anything that is exported: inputs, paths, outputs, errors, names, rules, reasons",
    places,
    (given) =>
      Effect.scoped(Effect.gen(function*() {
        const secret = `/home/${given.hex}/plan ${given.hex}.txt`
        const failing = Effect.fn(`handler`)(function*(): Effect.fn.Return<never, StoreFailed> {
          return yield* new StoreFailed({ path: secret, reason: secret })
        })
        const handlers: { readonly [K in typeof given.handler]: Effect.Effect<unknown, unknown> } = {
          gives: Effect.succeed({ secret }),
          long: Effect.succeed(secret.repeat(100)),
          fails: Effect.fail(new ToolFailed({ reason: secret, output: secret, cause: new Error(secret) })),
          "fails with a name": Effect.fail(Object.assign(new Error(secret), { name: given.hex, code: given.hex })),
          "fails by errno": Effect.fail(Object.assign(new Error(secret), { code: "EACCES", path: secret })),
          dies: Effect.die(new Error(secret)),
          "named span": Effect.withSpan(failing(), secret, { attributes: { secret } }),
          annotates: Effect.annotateCurrentSpan({ [secret]: secret }),
          logs: Effect.logInfo(secret)
        }
        const ofServer = `mcp__${given.hex}__${given.hex}`
        const named = given.name === "secret" ? given.hex : given.name === "of a server" ? ofServer : "Probe"
        const lost = new StoreFailed({ path: secret, reason: secret })
        const to = yield* collector
        const behaviour = given.rule.split(" ")[0] ?? ""
        const told = given.rule === "none"
          ? {}
          : { [behaviour]: ["Probe", `Probe(text:*${given.hex}*)`, `mcp__${given.hex}__*`] }
        const audit = given.audit === "off"
          ? {}
          : { audit: { ...standard, required: given.audit === "fails and is required" } }
        yield* Effect.gen(function*() {
          const one = yield* Pipeline
          const where = { session: secret, cwd: secret, user: secret, directories: [secret] }
          yield* one.runAll([
            use("Probe", { text: secret }, "t1"),
            use(named, { text: secret }, "t2"),
            use("Probe", { [secret]: secret }, "t3")
          ], {
            context: where
          })
          yield* (yield* Flusher).flush
        }).pipe(
          Effect.provideService(AuditLog, {
            record: () => Effect.fail(new AuditFailed({ reason: secret, cause: new Error(secret) }))
          }),
          Effect.provide(Layer.merge(
            pipeline({
              tools: [
                tool(() => handlers[given.handler]),
                { ...tool(() => handlers[given.handler]), name: ofServer, origin: "mcp", server: given.hex }
              ],
              rules: RuleSourcesLayers.layerMemory({ texts: { session: told }, ...audit }),
              hooks: hooks({
                postToolBatch: () => Effect.succeed({ ...nothingAfter, context: [secret], endsTurn: secret }),
                preToolUse: () =>
                  given.hook === "dies"
                    ? Effect.die(new Error(secret))
                    : Effect.succeed({
                      ...silent,
                      messages: [secret],
                      context: [secret],
                      ...(given.hook === "denies" ? { decision: "deny", reason: secret, name: secret } : {}),
                      ...(given.hook === "rewrites badly" ? { rewritten: { [secret]: 1 } } : {})
                    }),
                postToolUse: () => Effect.succeed({ ...nothingAfter, messages: [secret], endsTurn: secret })
              }),
              approver: ApproverLayers.layerFunction(() =>
                given.approver === "fails"
                  ? Effect.fail(new StoreFailed({ path: secret, reason: secret }))
                  : Effect.succeed({ _tag: "Denied", reason: secret } as const)
              ),
              results: Layer.succeed(ResultStore, {
                keep: () =>
                  given.store === "works"
                    ? Effect.succeed(secret)
                    : given.store === "fails"
                    ? Effect.fail(new ResultStoreFailed({ reason: secret }))
                    : Effect.die(new Error(secret)),
                open: () => Effect.die(new Error(secret))
              }),
              ...(given.sessions === "work" ? {} : {
                denials: DenialTrackerLayers.layerSession().pipe(
                  Layer.provide(
                    Layer.mock(SessionStore, { get: () => Effect.fail(lost), update: () => Effect.fail(lost) })
                  )
                )
              })
            }),
            to.layer
          ))
        )
        // What a tool logs, and what is asked for at Debug, is in the application's log, and there alone.
        const logs = given.handler === "logs" || given.level === "Debug" ? [] : to.sent.logs
        const everything = [...to.sent.traces, ...to.sent.metrics, ...logs].join("\n")
        assert.isTrue(to.sent.traces.length > 0 && to.sent.metrics.length > 0)
        assert.include(everything, "toolgate.call")
        assert.notInclude(everything, given.hex)
      })).pipe(
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.provideService(References.MinimumLogLevel, given.level)
      ),
    { arbitrary: { runs: 300 } }
  )
})

withLayer(Sessions.layer(), { excludeTestServices: true })("Telemetry of servers and of the REPL", (it) => {
  it.effect.prop(
    "holds neither a server's name nor what code has in hand, in the calls that it makes either",
    { rule: Schema.Literals(["allow", "ask", "deny"]), fails: Schema.Boolean, hex },
    ({ fails, hex, rule }) =>
      Effect.scoped(Effect.gen(function*() {
        const server = `mcp__${hex}__pay_${hex}`
        const pay = Tool.make({
          name: server,
          description: hex,
          input: Schema.Struct({ text: Schema.String }),
          origin: "mcp",
          server: hex,
          handler: ({ text }) =>
            fails
              ? Effect.fail(new McpCallFailed({ server: hex, reason: text, cause: new Error(text) }))
              : Effect.succeed(text)
        })
        const code = `let kept = "${hex}"
          console.log(kept)
          for (const name of ["Probe", "${server}", "Missing${hex}"]) {
            try { await tools[name]({ text: kept }) } catch (error) { console.error(error.message) }
          }
          throw new Error(kept)`
        const to = yield* collector
        yield* Effect.gen(function*() {
          const { runAll } = yield* Pipeline
          const results = yield* runAll([use("REPL", { code }, "t1"), use(server, { text: hex }, "t2")])
          assert.include(textOf(results[0]?.content ?? ""), hex)
          yield* (yield* Flusher).flush
        }).pipe(Effect.provide(Layer.merge(
          layer(context).pipe(
            Layer.provide(Layer.provideMerge(
              Layer.provide(
                ToolRegistryLayers.layerTools([REPL, tool(({ text }) => Effect.succeed(text)), pay]),
                Layer.succeed(Sessions.Sessions, yield* Sessions.Sessions)
              ),
              services({
                rules: RuleSourcesLayers.layerMemory({
                  texts: { session: { [rule]: [`mcp__${hex}`, "Probe"] } }
                })
              })
            )),
            Layer.provide(TelemetryLayers.layer())
          ),
          to.layer
        )))
        const everything = [...to.sent.traces, ...to.sent.metrics, ...to.sent.logs].join("\n")
        assert.isAtLeast(spansOf(to).filter(({ name }) => name === "toolgate.call").length, 4)
        assert.include(everything, "\"mcp\"")
        assert.notInclude(everything, hex)
      })).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
    { arbitrary: { runs: 50 } }
  )
})
