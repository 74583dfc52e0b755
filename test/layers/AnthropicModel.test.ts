import { assert, describe, it } from "@effect/vitest"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { layerAnthropic } from "../../src/layers/AnthropicModel.ts"
import * as ClassifierLayers from "../../src/layers/Classifier.ts"
import { ModelChoice } from "../../src/layers/ModelChoice.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { Classifier } from "../../src/services/Classifier.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { context } from "../support/services.ts"
import { until } from "../support/until.ts"
import { messagesServer, type Reply } from "./classifier/messagesServer.ts"

const key = Redacted.make("sk-test")

const Verdict = Schema.Struct({ ok: Schema.Boolean, reason: Schema.String })

const asking = (reply: Reply) =>
  Effect.gen(function*() {
    const server = yield* messagesServer(() => reply)
    const model = layerAnthropic({ model: "judge", apiKey: key, baseURL: server.address })
    const answer = Effect.map(
      LanguageModel.generateObject({
        schema: Verdict,
        prompt: [{ role: "system", content: "Judge." }, { role: "user", content: "Is it ok?" }]
      }),
      ({ value }) => value
    )
    return { server, answer: Effect.provide(answer, model) }
  })

describe("layerAnthropic", () => {
  it.live("asks with the key, the model, the schema, and gives the answer", () =>
    Effect.gen(function*() {
      const { answer, server } = yield* asking({ text: "{\"ok\":false,\"reason\":\"no\"}" })
      assert.deepStrictEqual(yield* answer, { ok: false, reason: "no" })
      const [asked] = server.asked()
      assert.strictEqual(asked?.model, "judge")
      assert.strictEqual(asked?.system, "Judge.")
      assert.deepStrictEqual(asked?.messages, [{ role: "user", content: "Is it ok?" }])
      assert.include(JSON.stringify(asked?.output_config?.format.schema), "\"reason\"")
      assert.strictEqual(server.headers()[0]?.["authorization"], "Bearer sk-test")
      yield* Effect.provideService(answer, ModelChoice, "smaller")
      assert.strictEqual(server.asked()[1]?.model, "smaller")
    }).pipe(Effect.scoped))

  const failures: ReadonlyArray<readonly [string, Reply, string]> = [
    ["a refusal", { text: "{\"ok\":true,\"reason\":\"\"}", stop: "refusal" }, "ContentPolicyError"],
    ["a wrong key", { status: 401 }, "AuthenticationError"],
    ["too many questions", { status: 429 }, "RateLimitError"],
    ["an outage", { status: 529 }, "InternalProviderError"],
    ["text instead of JSON", { text: "It is ok." }, "StructuredOutputError"],
    ["half of an answer", { text: "{\"ok\":tr", stop: "max_tokens" }, "StructuredOutputError"]
  ]
  for (const [title, reply, reason] of failures) {
    it.live(`${title} is a failure of its own kind, and quotes nothing`, () =>
      Effect.gen(function*() {
        const { answer } = yield* asking(reply)
        const error = yield* Effect.flip(answer)
        assert.strictEqual(error.reason._tag, reason)
        assert.notInclude(error.message, "npm test")
      }).pipe(Effect.scoped))
  }

  it.live("interrupting the question closes the connection", () =>
    Effect.gen(function*() {
      const { answer, server } = yield* asking("never")
      const fiber = yield* Effect.forkChild(answer)
      yield* until(() => server.asked().length > 0)
      yield* Fiber.interrupt(fiber)
      yield* until(() => server.open() === 0)
    }).pipe(Effect.scoped))

  it.live("judges a line by descriptions, and leaves a server that hangs or refuses", () =>
    Effect.gen(function*() {
      const judged = Effect.fnUntraced(function*(reply: Reply) {
        const server = yield* messagesServer(() => reply)
        const policy = yield* (yield* RuleSources).policy(context)
        return yield* Effect.flatMap(Classifier, (classifier) =>
          classifier.judge({ _tag: "Shell", command: "npm test" }, policy)).pipe(
            Effect.provide(ClassifierLayers.layerModelLater(
              layerAnthropic({ model: "judge", apiKey: key, baseURL: server.address }),
              { timeout: "1 second" }
            ))
          )
      })
      const match = "{\"commands\":[{\"command\":0,\"matches\":[{\"description\":0,\"confidence\":\"high\"}]}]}"
      assert.deepStrictEqual(yield* judged({ text: match }), { verdict: "allow", description: "run the test suite" })
      assert.isUndefined(yield* judged({ text: match, stop: "refusal" }))
      assert.isUndefined(yield* judged({ text: match, stop: "max_tokens" }))
      assert.isUndefined(yield* judged({ status: 500 }))
      assert.isUndefined(yield* judged("never"))
    }).pipe(
      Effect.scoped,
      Effect.provide(
        RuleSourcesLayers.layerMemory({ texts: { userSettings: { allow: ["Bash(prompt: run the test suite)"] } } })
      )
    ))

  it.live("without a key nothing is sent, and asking fails", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(LanguageModel.generateText({ prompt: "hello" })).pipe(
        Effect.provide(Layer.fresh(layerAnthropic({ model: "judge", baseURL: "http://127.0.0.1:9" })))
      )
      assert.strictEqual(error._tag, "AiError")
    }))
})
