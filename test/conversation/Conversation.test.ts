import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Conversation from "../../src/conversation/Conversation.ts"
import type { ConversationEvent } from "../../src/domain/ConversationEvent.ts"
import { nothingAfter, silent } from "../../src/domain/Hook.ts"
import { type Message, problemOf } from "../../src/domain/Message.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { ModelFailed } from "../../src/errors/ModelError.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import { ChatModel } from "../../src/services/ChatModel.ts"
import { call, ended, scripted, type Step, text } from "../support/scriptedModel.ts"
import { context, hooks, services } from "../support/services.ts"

const tool = (name: string, handler: (n: number) => Effect.Effect<unknown, unknown>, safe = true) =>
  Tool.make({
    name,
    description: `is ${name}`,
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => safe,
    maxResultSizeChars: 300,
    handler: ({ n = 0 }) => handler(n)
  })

const rules = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe", "Alone"], deny: ["Forbidden"] } } })

const talk = (
  answers: ReadonlyArray<ReadonlyArray<Step>>,
  {
    options = {},
    parts = {},
    tools = [tool("Probe", (n) => Effect.succeed(`ran ${n}`))]
  }: {
    readonly tools?: ReadonlyArray<Tool.Tool>
    readonly parts?: Parameters<typeof services>[0]
    readonly options?: Partial<Conversation.Options>
  } = {}
) => {
  const model = scripted(answers)
  const layer = pipeline.layer(context).pipe(
    Layer.provideMerge(services({ tools, rules, ...parts })),
    Layer.provideMerge(TelemetryLayers.layer()),
    Layer.provideMerge(model.layer)
  )
  const started = Effect.map(
    Conversation.make({ context, ...options }),
    (conversation) => ({ ...conversation, asked: model.asked })
  )
  return { asked: model.asked, started: Effect.provide(started, layer) }
}

const rolesOf = (history: ReadonlyArray<Message>): ReadonlyArray<string> =>
  history.map(({ content, role }) => `${role}: ${content.map(({ type }) => type).join(" ")}`)

const failure = (more: Partial<ModelFailed> = {}) => new ModelFailed({ reason: "busy", retryable: true, ...more })

describe("a conversation", () => {
  it.effect("runs what the model asks for and goes on until it answers", () =>
    Effect.gen(function*() {
      const { ask, asked, history } = yield* talk([
        [...text("Let me see."), call("t1", "Probe", { n: 1 }), call("t2", "Probe", { n: 2 }), ...ended()],
        [...text("Both ran."), ...ended()]
      ], { options: { system: "be brief", prices: { input: 3, output: 15 } } }).started
      const end = yield* ask("Do they run?")
      assert.strictEqual(end.why, "answered")
      assert.strictEqual(end.answer, "Both ran.")
      assert.strictEqual(end.turns, 2)
      assert.deepStrictEqual(end.usage, { input: 20, output: 4 })
      assert.strictEqual(end.cost, 0.00012)
      assert.deepStrictEqual(end.calls.map(({ outcome, use }) => [use.id, outcome]), [["t1", "done"], ["t2", "done"]])
      assert.deepStrictEqual(rolesOf(yield* history), [
        "user: text",
        "assistant: text tool_use tool_use",
        "user: tool_result tool_result",
        "assistant: text"
      ])
      assert.strictEqual(asked[0]?.system, "be brief")
      assert.deepStrictEqual(asked[0]?.tools.map(({ inputSchema, name }) => [name, inputSchema["type"]]), [
        ["Probe", "object"]
      ])
    }))

  it.effect("withholds tools that a bare deny rule forbids, and relays a denial like any result", () =>
    Effect.gen(function*() {
      const tools = ["Probe", "Forbidden", "Asked"].map((name) => tool(name, () => Effect.succeed("ran")))
      const { ask, asked, history } = yield* talk(
        [[call("t1", "Forbidden"), call("t2", "Asked", { n: 5 }), ...ended()], [...text("No."), ...ended()]],
        { tools }
      ).started
      const end = yield* ask("Go")
      assert.deepStrictEqual(asked[0]?.tools.map(({ name }) => name), ["Probe", "Asked"])
      assert.strictEqual(end.why, "answered")
      assert.deepStrictEqual(end.calls.map(({ outcome, use }) => [use.name, use.input, outcome]), [
        ["Forbidden", {}, "denied"],
        ["Asked", { n: 5 }, "denied"]
      ])
      assert.match(end.calls[0]?.why ?? "", /deny rule `Forbidden`/)
      assert.match(end.calls[1]?.why ?? "", /nothing permits it/)
      assert.isUndefined(problemOf(yield* history))
    }))

  it.effect("runs a call while later ones are still on their way", () =>
    Effect.gen(function*() {
      const ran = yield* Deferred.make<void>()
      const { ask } = yield* talk(
        [[call("t1", "Probe"), Deferred.await(ran), call("t2", "Probe"), ...ended()], [...text("Done."), ...ended()]],
        { tools: [tool("Probe", () => Effect.as(Deferred.succeed(ran, undefined), "ran"))] }
      ).started
      assert.strictEqual((yield* ask("Go")).why, "answered")
    }))

  it.effect("tells what happens, from the question to the end", () =>
    Effect.gen(function*() {
      const { stream } = yield* talk([[call("t1", "Probe"), ...ended()], [...text("Done."), ...ended()]]).started
      const events = yield* Stream.runCollect(stream("Go"))
      const told = events.map((event) => event._tag === "StageStarted" ? event.stage : event._tag)
      assert.deepStrictEqual(told.filter((name) => name !== "StageEnded" && name !== "ModelAnswered"), [
        "ConversationStarted",
        "TurnStarted",
        "Received",
        "lookup",
        "validate",
        "screen",
        "permission",
        "Decided",
        "execute",
        "result",
        "postHook",
        "emit",
        "Finished",
        "TurnStarted",
        "ModelSaid",
        "ConversationEnded"
      ])
      assert.deepStrictEqual(
        events.flatMap((event) => event._tag === "ModelAnswered" ? [[event.turn, event.text, event.uses.length]] : []),
        [[1, "", 1], [2, "Done.", 0]]
      )
    }))

  it.effect("ends at its limit of turns, and where a hook ends the turn", () =>
    Effect.gen(function*() {
      const asks = (id: number): ReadonlyArray<Step> => [call(`t${id}`, "Probe"), ...ended()]
      const limited = yield* talk([asks(1), asks(2), asks(3)], { options: { maxTurns: 2 } }).started
      const end = yield* limited.ask("Go")
      assert.deepStrictEqual([end.why, end.turns, end.calls.length], ["turnLimit", 2, 2])
      assert.isUndefined(problemOf(yield* limited.history))

      const stopping = { postToolUse: () => Effect.succeed({ ...nothingAfter, endsTurn: "enough for today" }) }
      const stopped = yield* talk([asks(1), asks(2)], { parts: { hooks: hooks(stopping) } }).started
      const early = yield* stopped.ask("Go")
      assert.deepStrictEqual([early.why, early.error, early.turns], ["stoppedByHook", "enough for today", 1])

      const denying = {
        preToolUse: () => Effect.succeed({ ...silent, decision: "deny" as const, endsTurn: "not here" })
      }
      const denied = yield* (yield* talk([asks(1)], { parts: { hooks: hooks(denying) } }).started).ask("Go")
      assert.deepStrictEqual([denied.why, denied.error, denied.calls[0]?.outcome], [
        "stoppedByHook",
        "not here",
        "denied"
      ])
    }))

  it.effect("goes on where it was before, results first", () =>
    Effect.gen(function*() {
      const { ask, asked, history } = yield* talk(
        [[call("t1", "Probe"), ...ended()], [...text("Two."), ...ended()]],
        { options: { maxTurns: 1 } }
      ).started
      yield* ask("One?")
      yield* ask("Two?")
      assert.deepStrictEqual(rolesOf(asked[1]?.messages ?? []), [
        "user: text",
        "assistant: tool_use",
        "user: tool_result text"
      ])
      const told = yield* history
      const next = yield* talk([[...text("Three."), ...ended()]], { options: { history: told } }).started
      yield* next.ask("Three?")
      assert.strictEqual(next.asked[0]?.messages.length, 5)
    }))

  it.effect("refuses a history that no model would take", () =>
    Effect.gen(function*() {
      const history: ReadonlyArray<Message> = [
        { role: "user", content: [{ type: "text", text: "Go" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Probe", input: {} }] }
      ]
      const error = yield* Effect.flip(talk([], { options: { history } }).started)
      assert.strictEqual(
        error.message,
        "the history can't be continued: the call `t1` has 0 results in the next message, and not one"
      )
    }))
})

describe("a model that misbehaves", () => {
  it.effect("is asked again when it is busy, after the time that it says, and a few times at most", () =>
    Effect.gen(function*() {
      const { ask, asked } = yield* talk([
        [Effect.fail(failure({ retryAfterMillis: 7_000 }))],
        [...text("half"), Effect.fail(failure({ reason: "cut" }))],
        [...text("whole"), ...ended()]
      ]).started
      const fiber = yield* Effect.forkChild(ask("Go"))
      yield* TestClock.adjust(6_999)
      assert.strictEqual(asked.length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(asked.length, 2)
      yield* TestClock.adjust(2_000)
      const end = yield* Fiber.join(fiber)
      assert.deepStrictEqual([end.why, end.answer, asked.length], ["answered", "whole", 3])

      const hopeless = yield* talk([[Effect.fail(failure())]]).started
      const giving = yield* Effect.forkChild(hopeless.ask("Go"))
      yield* TestClock.adjust("1 minute")
      const failed = yield* Fiber.join(giving)
      assert.deepStrictEqual([failed.why, failed.error, hopeless.asked.length], ["failed", "the model is busy", 5])
    }))

  it.effect("is not asked again when that can't help, or it wants to be left alone for long", () =>
    Effect.gen(function*() {
      const gives = [
        [failure({ retryable: false }), "the model is busy"],
        [failure({ retryAfterMillis: 3_600_000 }), "the model is busy, and can be asked again in 60 minutes"],
        [failure({ retryable: false, retryAfterMillis: 3_600_000 }), "the model is busy"]
      ] as const
      for (const [error, why] of gives) {
        const { ask, asked } = yield* talk([[Effect.fail(error)]]).started
        const end = yield* ask("Go")
        assert.deepStrictEqual([end.why, end.error, asked.length], ["failed", why, 1])
      }
    }))

  it.effect("that throws in place of an answer ends the conversation as one that fails", () =>
    Effect.gen(function*() {
      const conversation = yield* Conversation.make({ context })
      assert.strictEqual((yield* conversation.ask("Hello?")).why, "failed")
      assert.isUndefined(problemOf(yield* conversation.history))
    }).pipe(
      Effect.provideService(ChatModel, {
        name: undefined,
        answer: () => {
          throw new Error("no client")
        }
      }),
      Effect.provide(pipeline.layer(context).pipe(Layer.provideMerge(services({ rules }))))
    ))

  it.effect("keeps what ran when its answer breaks off, and goes on from there", () =>
    Effect.gen(function*() {
      const { ask, asked, history } = yield* talk([
        [
          ...text("First."),
          call("t1", "Probe"),
          { _tag: "Text", text: "and th" },
          Effect.fail(failure({ reason: "cut", retryAfterMillis: 0 }))
        ],
        [...text("Done."), ...ended()]
      ]).started
      const end = yield* ask("Go")
      assert.deepStrictEqual([end.why, end.calls.length, end.turns], ["answered", 1, 2])
      assert.deepStrictEqual(rolesOf(asked[1]?.messages ?? []), [
        "user: text",
        "assistant: text tool_use text",
        "user: tool_result"
      ])
      assert.isUndefined(problemOf(yield* history))
    }))

  it.effect("that uses an id twice is refused clearly, and what ran stays told", () =>
    Effect.gen(function*() {
      const { ask, history } = yield* talk([
        [call("t1", "Probe", { n: 1 }), call("t1", "Probe", { n: 2 }), ...ended()]
      ]).started
      const end = yield* ask("Go")
      assert.deepStrictEqual([end.why, end.error, end.calls.length], [
        "failed",
        "the model's answer can't be read: two calls have the id `t1`",
        1
      ])
      assert.isUndefined(problemOf(yield* history))

      const later = yield* talk([[call("t1", "Probe"), ...ended()]]).started
      const again = yield* later.ask("Go")
      assert.deepStrictEqual([again.why, again.turns, again.calls.length], ["failed", 2, 1])
      assert.isUndefined(problemOf(yield* later.history))
    }))

  it.effect("is told of a call that it could not finish, and of an input that is no JSON", () =>
    Effect.gen(function*() {
      const cut: Step = { ...call("t1", "Probe"), cutOff: true } as Step
      const broken = call("t2", "Probe", "{\"n\": ")
      const { ask, history } = yield* talk([
        [broken, cut, ...ended("cutOff")],
        [...text("I see."), ...ended()]
      ]).started
      const end = yield* ask("Go")
      assert.strictEqual(end.why, "answered")
      const results = (yield* history)[2]?.content ?? []
      assert.match(String(results[0]?.["content"]), /tool_use_error.*an object/s)
      assert.match(String(results[1]?.["content"]), /limit of length/)
      assert.deepStrictEqual(end.calls.map(({ outcome }) => outcome).toSorted(), ["wrong", "wrong"])
    }))

  it.effect("that refuses, pauses or is cut off is heard as such", () =>
    Effect.gen(function*() {
      const refused = yield* talk([[...text("I can"), ...ended("refusal")]]).started
      assert.strictEqual((yield* refused.ask("Go")).why, "refused")
      assert.deepStrictEqual(yield* refused.history, [])

      const cut = yield* talk([[...text("It is lo"), ...ended("cutOff")]]).started
      assert.deepInclude(yield* cut.ask("Go"), { why: "cutOff", answer: "It is lo" })

      const server: Step = {
        _tag: "Block",
        block: { type: "server_tool_use", id: "s1", name: "web_search", input: {} }
      }
      const thinking: Step = { _tag: "Block", block: { type: "thinking", thinking: "hm", signature: "x" } }
      const paused = yield* talk([
        [thinking, ...text("Searching."), server, ...ended("pause")],
        [...text("Found."), ...ended()]
      ]).started
      assert.deepInclude(yield* paused.ask("Go"), { why: "answered", answer: "Found.", turns: 2 })
      assert.deepStrictEqual(rolesOf(paused.asked[1]?.messages ?? []), [
        "user: text",
        "assistant: thinking text server_tool_use"
      ])
      assert.deepStrictEqual(paused.asked[1]?.messages[1]?.content[0], thinking.block)
    }))
})

describe("somebody who stops a conversation", () => {
  const hanging = () => {
    const begun = Deferred.makeUnsafe<void>()
    const tools = [tool("Probe", () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))]
    return { begun, ...talk([[...text("So"), call("t1", "Probe"), Effect.never]], { tools }) }
  }
  const left = ["user: text", "assistant: text tool_use", "user: tool_result"]

  it.effect("with a signal gets an end, and a history that can be continued", () =>
    Effect.gen(function*() {
      const { begun, started } = hanging()
      const { ask, history } = yield* started
      const end = yield* ask("Go", { cancel: Effect.as(Deferred.await(begun), "interrupted" as const) })
      assert.deepStrictEqual([end.why, end.calls[0]?.outcome], ["interrupted", "stopped"])
      assert.deepStrictEqual(rolesOf(yield* history), left)
    }))

  it.effect("from outside leaves a history that can be continued, too", () =>
    Effect.gen(function*() {
      const { begun, started } = hanging()
      const { ask, history, stream } = yield* started
      const fiber = yield* Effect.forkChild(ask("Go"))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(rolesOf(yield* history), left)

      const events: Array<ConversationEvent> = []
      const taken = stream("And?").pipe(Stream.takeUntil((event) => event._tag === "TurnStarted"))
      yield* Stream.runForEach(taken, (event) => Effect.sync(() => events.push(event)))
      assert.strictEqual(events.length, 2)
      assert.isUndefined(problemOf(yield* history))
    }))

  it.effect("from outside waits for nothing that is on its way to them, whatever that is", () =>
    Effect.gen(function*() {
      for (let pieces = 1; pieces <= 40; pieces++) {
        const much = Array.from({ length: pieces }, (): Step => ({ _tag: "Text", text: "and so on " }))
        const { history, stream } = yield* talk([[...much, ...ended()]]).started
        const fiber = yield* Effect.forkChild(Stream.runForEach(stream("Go"), () => Effect.never))
        // By then it has ended, or there is no room for more.
        for (let turn = 0; turn < 200; turn++) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        assert.isUndefined(problemOf(yield* history))
      }
    }))

  it.effect("while the model is waited for does not wait", () =>
    Effect.gen(function*() {
      const stop = yield* Deferred.make<"interrupted">()
      const { ask } = yield* talk([[Effect.fail(failure({ retryAfterMillis: 60_000 }))]]).started
      const fiber = yield* Effect.forkChild(ask("Go", { cancel: Deferred.await(stop) }))
      yield* TestClock.adjust(1_000)
      yield* Deferred.succeed(stop, "interrupted")
      assert.strictEqual((yield* Fiber.join(fiber)).why, "interrupted")
    }))
})

const Piece = Schema.Union([
  Schema.TaggedStruct("Said", { text: Schema.Literals(["hello", " ", ""]) }),
  Schema.TaggedStruct("Half", {}),
  Schema.TaggedStruct("Call", {
    id: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
    name: Schema.Literals(["Probe", "Alone", "Forbidden", "Asked", "Nowhere"]),
    input: Schema.Literals(["fine", "wrong", "broken", "cut"])
  }),
  Schema.TaggedStruct("Thinking", {}),
  Schema.TaggedStruct("Server", { answered: Schema.Boolean })
])

/** Parts that only a model gives which no compiler looked at, as JSON. */
const junk = [
  "null",
  `"text"`,
  "{}",
  `{"_tag":"Text"}`,
  `{"_tag":"Block","block":null}`,
  `{"_tag":"Block","block":{"type":"tool_use"},"use":{"id":5}}`,
  `{"_tag":"Spent"}`,
  `{"_tag":"Spent","usage":null}`,
  `{"_tag":"Ended","stop":"soon"}`
] as const

const Drawn = Schema.Struct({
  answers: Schema.Array(Schema.Struct({
    pieces: Schema.Array(Piece).check(Schema.isMaxLength(6)),
    end: Schema.Literals([
      "end",
      "end",
      "cutOff",
      "pause",
      "refusal",
      "none",
      "busy",
      "refused",
      "hangs",
      "dies",
      "junk"
    ]),
    junk: Schema.Literals(junk)
  })).check(Schema.isMaxLength(4)),
  questions: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 })),
  handler: Schema.Literals(["fine", "fine", "fails", "dies", "hangs"]),
  stop: Schema.Struct({
    by: Schema.Literals(["signal", "interrupt", "nobody"]),
    at: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
  })
})

type Drawn = typeof Drawn.Type

const stepsOf = ({ end, junk, pieces }: Drawn["answers"][number], hangs: Effect.Effect<never>): ReadonlyArray<Step> => [
  ...pieces.flatMap((piece, at): ReadonlyArray<Step> => {
    switch (piece._tag) {
      case "Said":
        return text(piece.text)
      case "Half":
        return [{ _tag: "Text", text: "hal" }]
      case "Call": {
        const inputs = { fine: { n: at }, wrong: { n: "x" }, broken: "{", cut: {} }
        const asked = call(`t${piece.id}`, piece.name, inputs[piece.input])
        return [piece.input === "cut" ? { ...asked, cutOff: true } as Step : asked]
      }
      case "Thinking":
        return [{ _tag: "Block", block: { type: "thinking", thinking: "hm", signature: "x" } }]
      case "Server":
        return [
          { _tag: "Block", block: { type: "server_tool_use", id: `s${at}`, name: "web_search", input: {} } },
          ...piece.answered
            ? [{
              _tag: "Block" as const,
              block: { type: "web_search_tool_result", tool_use_id: `s${at}`, content: [] }
            }]
            : []
        ]
    }
  }),
  ...end === "none"
    ? []
    : end === "busy"
    ? [Effect.fail(failure({ retryAfterMillis: 0 }))]
    : end === "refused"
    ? [Effect.fail(failure({ retryable: false }))]
    : end === "hangs"
    ? [hangs]
    : end === "dies"
    ? [Effect.die("bug in the model")]
    : end === "junk"
    ? [JSON.parse(junk)]
    : ended(end)
]

describe("a conversation in which anything may go wrong", () => {
  it.effect.prop(
    "has a history that a model takes, each time it is asked and at the end, and leaves nothing running",
    [Drawn],
    ([drawn]) =>
      Effect.gen(function*() {
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(TestClock.adjust("1 minute"), Effect.yieldNow)))
        const stop = yield* Deferred.make<"interrupted">()
        const outside = yield* Deferred.make<void>()
        // Whatever hangs is what somebody gets tired of waiting for.
        const tired = Effect.suspend(() =>
          drawn.stop.by === "interrupt" ? Deferred.succeed(outside, undefined) : Deferred.succeed(stop, "interrupted")
        )
        const hangs = Effect.andThen(tired, Effect.never)
        let running = 0
        const handlers = { fine: Effect.succeed("ran"), fails: Effect.fail("no"), dies: Effect.die("bug"), hangs }
        const handler = () =>
          Effect.acquireUseRelease(
            Effect.sync(() => void running++),
            () => handlers[drawn.handler],
            () => Effect.sync(() => void running--)
          )
        const { ask, asked, history, stream } = yield* talk(drawn.answers.map((answer) => stepsOf(answer, hangs)), {
          tools: ["Probe", "Alone", "Forbidden", "Asked"].map((name) => tool(name, handler, name === "Probe")),
          options: { maxTurns: 5 }
        }).started
        let events = 0
        for (let question = 1; question <= drawn.questions; question++) {
          const watched = Stream.runForEach(
            stream(`question ${question}`, { cancel: Deferred.await(stop) }),
            () => Effect.suspend(() => ++events === drawn.stop.at && drawn.stop.by !== "nobody" ? tired : Effect.void)
          )
          yield* Effect.raceFirst(Effect.exit(watched), Effect.exit(Deferred.await(outside)))
          assert.isUndefined(problemOf(yield* history))
        }
        for (const { messages } of asked) assert.isUndefined(problemOf(messages))
        assert.strictEqual(running, 0)
        // Whoever asks last waits for whoever asked before, and is stopped at once.
        yield* ask("and now?", { cancel: Effect.succeed("cancelled") })
        assert.isUndefined(problemOf(yield* history))
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    { arbitrary: { runs: 400 } }
  )
})
