import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { ServerResponse } from "node:http"
import * as Conversation from "../../src/conversation/Conversation.ts"
import { problemOf } from "../../src/domain/Message.ts"
import * as Tool from "../../src/domain/Tool.ts"
import * as ChatModelLayers from "../../src/layers/ChatModel.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import { ChatModel } from "../../src/services/ChatModel.ts"
import { kept, modelServer, recorded, type Reply, streamed } from "../support/modelServer.ts"
import { context, services } from "../support/services.ts"
import { until } from "../support/until.ts"
import { hookServer } from "./hooks/hookServer.ts"

const probe = Tool.make({
  name: "Probe",
  description: "tries",
  input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
  concurrencySafe: () => true,
  handler: ({ n = 0 }) => Effect.succeed(`ran ${n}`)
})

const rules = RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })

const layerAt = (baseURL: string, key = "k") =>
  pipeline.layer(context).pipe(
    Layer.provideMerge(services({ tools: [probe], rules })),
    Layer.provideMerge(TelemetryLayers.layer()),
    Layer.provideMerge(ChatModelLayers.layerAnthropic({ model: "local", apiKey: Redacted.make(key), baseURL }))
  )

const talking = Effect.fnUntraced(function*(replies: ReadonlyArray<Reply>) {
  const server = yield* modelServer(replies)
  const conversation = yield* Effect.provide(Conversation.make({ context, maxTurns: 5 }), layerAt(server.address))
  const end = yield* conversation.ask("Go")
  const history = yield* conversation.history
  assert.isUndefined(problemOf(history))
  for (const { messages } of server.asked()) assert.isUndefined(problemOf(messages))
  return { end, history, asked: server.asked() }
}, Effect.scoped)

const quickly = { status: 529, headers: { "retry-after-ms": "1" } }

describe("a model behind the Messages API", () => {
  it.live("is not asked again and again with a key that can't be sent, and nothing repeats the key", () =>
    Effect.gen(function*() {
      const server = yield* modelServer([])
      for (const stray of ["\n", "\u0000", "\u2019", "\uFEFF", "漢"]) {
        const layer = layerAt(server.address, `k3y-begins${stray}k3y-ends`)
        const end = yield* Effect.flatMap(Conversation.make({ context }), ({ ask }) => ask("Go")).pipe(
          Effect.provide(layer)
        )
        assert.strictEqual(end.why, "failed")
        assert.match(end.error ?? "", /^the model can't be asked: ANTHROPIC_API_KEY, .* can't be sent$/)
        assert.notMatch(JSON.stringify(end), /k3y/)
      }
      assert.deepStrictEqual(server.asked(), [])
    }).pipe(Effect.scoped))

  it.live("is heard however its stream is cut into pieces", () =>
    Effect.gen(function*() {
      for (const chunk of [1, 7, 4_096]) {
        const { asked, end } = yield* talking([{ stream: "two-calls", chunk }, { stream: "answer", chunk }])
        assert.deepStrictEqual([end.why, end.answer, end.turns], ["answered", "Both ran.", 2])
        assert.deepStrictEqual(end.calls.map(({ outcome, use }) => [use.input, outcome]), [
          [{ n: 1 }, "done"],
          [{ n: 2 }, "done"]
        ])
        assert.deepStrictEqual(end.usage, { input: 80, output: 36, cacheRead: 10, cacheWrite: 0 })
        assert.deepStrictEqual(asked[1]?.messages, [
          { role: "user", content: [{ type: "text", text: "Go", ...kept }] },
          {
            role: "assistant",
            content: [
              { type: "text", text: "Let me look at both." },
              { type: "tool_use", id: "toolu_01", name: "Probe", input: { n: 1 } },
              { type: "tool_use", id: "toolu_02", name: "Probe", input: { n: 2 } }
            ]
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "toolu_01", content: "ran 1" },
              { type: "tool_result", tool_use_id: "toolu_02", content: "ran 2", ...kept }
            ]
          }
        ])
        assert.deepStrictEqual(asked[0]?.tools.map(({ name }) => name), ["Probe"])
      }
    }))

  it.live("gets its own blocks back untouched, those that nobody knows included", () =>
    Effect.gen(function*() {
      const { asked, end } = yield* talking([{ stream: "thinking-and-search" }, { stream: "answer" }])
      assert.strictEqual(end.why, "answered")
      assert.deepStrictEqual(asked[1]?.messages[1]?.content, [
        { type: "thinking", thinking: "I should search.", signature: "c2lnbmVk" },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "eclipse" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [{
            type: "web_search_result",
            title: "Eclipse",
            url: "https://example.com/",
            encrypted_content: "abc",
            page_age: null
          }]
        },
        {
          type: "text",
          text: "In August.",
          citations: [{
            type: "web_search_result_location",
            url: "https://example.com/",
            title: "Eclipse",
            cited_text: "In August",
            encrypted_index: "x"
          }]
        },
        { type: "block_of_tomorrow", data: "ab" }
      ])
    }))

  it.live("that is busy is asked again, by its headers or where its stream says so", () =>
    Effect.gen(function*() {
      const inStream =
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"
      const { asked, end } = yield* talking([quickly, { stream: inStream }, { stream: "answer" }])
      assert.deepStrictEqual([end.why, asked.length], ["answered", 3])

      const wrong = yield* talking([{ status: 404, message: "model: nobody" }])
      assert.deepStrictEqual([wrong.end.why, wrong.end.error], [
        "failed",
        "the model can't be asked: status 404, model: nobody"
      ])
      const later = yield* talking([{ status: 429, headers: { "retry-after": "3600" } }])
      assert.deepStrictEqual([later.end.why, later.end.error, later.asked.length], [
        "failed",
        "the model is busy: status 429, Overloaded, and can be asked again in 60 minutes",
        1
      ])
    }))

  it.live("may put a text where another begins one, and it is heard all the same", () =>
    Effect.gen(function*() {
      const server = yield* modelServer([{
        stream: streamed(["lo."]).replace("\"text\":\"\"", "\"text\":\"Hel\"")
      }])
      const conversation = yield* Effect.provide(Conversation.make({ context }), layerAt(server.address))
      const events = yield* Stream.runCollect(conversation.stream("Go"))
      assert.deepStrictEqual(events.flatMap((event) => event._tag === "ModelSaid" ? [event.text] : []), ["Hel", "lo."])
      assert.deepInclude(events.at(-1), { answer: "Hello." })
    }).pipe(Effect.scoped))

  it.live("that is none is said to be none at once", () =>
    Effect.gen(function*() {
      const { asked, end } = yield* talking([{ status: 200, headers: { "content-type": "text/html; charset=utf-8" } }])
      assert.deepStrictEqual([end.why, end.error, asked.length], [
        "failed",
        "the model's answer can't be read: the address answers with `text/html`, not with a stream of events",
        1
      ])
    }))

  it.live("whose stream is cut anywhere is heard all the same, and nothing runs twice", () =>
    Effect.gen(function*() {
      const { length } = recorded("two-calls")
      const places = Array.from({ length: Math.floor(length / 97) }, (_, at) => 40 + at * 97)
      yield* Effect.forEach(places, (cutAt) =>
        Effect.map(talking([{ stream: "two-calls", cutAt }, { stream: "answer" }]), ({ end }) => {
          assert.strictEqual(end.why, "answered", `cut at ${cutAt}`)
          assert.strictEqual(
            new Set(end.calls.map(({ use }) =>
              use.id
            )).size,
            end.calls.length
          )
        }), { concurrency: 8, discard: true })
    }))

  it.live("that sends garbage, or a second message inside the first, is asked again", () =>
    Effect.gen(function*() {
      const garbage = { stream: "event: content_block_start\ndata: {\"index\":\n\n" }
      const { asked, end } = yield* talking([garbage, { stream: "answer" }])
      assert.deepStrictEqual([end.why, asked.length], ["answered", 2])
      const spliced = yield* talking([{ stream: "second-start" }, { stream: "answer" }])
      assert.strictEqual(spliced.end.answer, "Both ran.")
      assert.strictEqual(spliced.end.calls.length, 0)
    }))

  it.live(
    "may call without input, cut itself off, write no JSON, use an id twice, and refuse",
    () =>
      Effect.gen(function*() {
        const ends = yield* Effect.forEach(
          ["no-input", "cut-off-call", "cut-off-before-input", "broken-input", "same-id", "refusal"],
          (stream) => talking([{ stream }, { stream: "answer" }])
        )
        assert.deepStrictEqual(
          ends.map(({ end }) => [
            end.why,
            ...end.calls.map(({ outcome, use }) => `${outcome} ${JSON.stringify(use.input)}`)
          ]),
          [
            ["answered", "done {}"],
            ["answered", "wrong \"{\\\"n\\\": 1, \\\"text\\\": \\\"and so\""],
            ["answered", "wrong {}"],
            ["answered", "wrong \"{\\\"n\\\": 1,}\""],
            ["failed", "done {\"n\":1}"],
            ["refused"]
          ]
        )
        assert.deepStrictEqual(ends[3]?.history[1]?.content[0]?.["input"], { INVALID_JSON: "{\"n\": 1,}" })
      })
  )

  it.live("is let go of when nobody listens any more", () =>
    Effect.gen(function*() {
      const server = yield* modelServer([{ stream: "two-calls", hangs: true }])
      const model = yield* Effect.provide(
        ChatModel,
        ChatModelLayers.layerAnthropic({ model: "local", apiKey: Redacted.make("k"), baseURL: server.address })
      )
      const request = { system: undefined, messages: [], tools: [] }
      const fiber = yield* Effect.forkChild(Stream.runDrain(model.answer(request)))
      const taken = yield* Stream.runCollect(Stream.take(model.answer(request), 2))
      assert.strictEqual(taken.length, 2)
      yield* Fiber.interrupt(fiber)
      yield* until(() => server.open() === 0)
    }).pipe(Effect.scoped))

  it.effect(
    "that falls silent in the middle is asked again, and one that goes on slowly is not",
    () =>
      Effect.gen(function*() {
        let slow: ServerResponse | undefined
        const halfway = recorded("answer").split("\n\n").slice(0, 3).join("\n\n") + "\n\n"
        const rest = recorded("answer").slice(halfway.length)
        const server = yield* hookServer((_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.write(halfway)
          slow = response
        })
        const conversation = yield* Effect.provide(Conversation.make({ context }), layerAt(server.address))
        const happened: Array<string> = []
        const end = yield* conversation.stream("Go").pipe(
          Stream.tap((event) => {
            happened.push(event._tag === "ModelRetried" ? event.error : event._tag)
            if (event._tag === "ModelRetried") return TestClock.adjust(event.waitMillis)
            if (event._tag !== "ModelSaid") return Effect.void
            if (server.got.length === 1) return TestClock.adjust("2 minutes")
            return Effect.andThen(TestClock.adjust("119 seconds"), Effect.sync(() => slow?.end(rest)))
          }),
          Stream.runLast
        )
        assert.deepStrictEqual([...new Set(happened)], [
          "ConversationStarted",
          "TurnStarted",
          "ModelSaid",
          "the model fell silent: nothing came for 2m",
          "ModelAnswered",
          "ConversationEnded"
        ])
        assert.deepInclude(Option.getOrUndefined(end), { why: "answered", answer: "Both ran." })
        assert.strictEqual(server.got.length, 2)
      }).pipe(Effect.scoped)
  )

  it.live("says so where it can't be reached", () =>
    Effect.gen(function*() {
      const model = yield* Effect.provide(
        ChatModel,
        ChatModelLayers.layerAnthropic({ model: "local", apiKey: Redacted.make("k"), baseURL: "http://127.0.0.1:9" })
      )
      const error = yield* Effect.flip(
        Stream.runDrain(model.answer({ system: undefined, messages: [], tools: [] }))
      )
      assert.deepStrictEqual([error.message, error.retryable], ["the model can't be reached", true])
    }))
})
