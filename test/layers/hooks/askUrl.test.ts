import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HookEntry, HttpHook } from "../../../src/domain/Hook.ts"
import type { Policy } from "../../../src/domain/Policy.ts"
import * as HookRunnerLayers from "../../../src/layers/HookRunner.ts"
import * as PathResolverLayers from "../../../src/layers/PathResolver.ts"
import { HookRunner } from "../../../src/services/HookRunner.ts"
import { until } from "../../support/until.ts"
import { callWith, hookOf, says } from "./callWith.ts"
import { hookServer } from "./hookServer.ts"

const paths = PathResolverLayers.layerVirtual({})
const runner = HookRunnerLayers.layerCommands.pipe(Layer.provide(paths))

const http = (hook: Omit<HttpHook, "type">): HookEntry => ({ ...hookOf(""), hook: { type: "http", ...hook } })

const before = (hooks: ReadonlyArray<HookEntry>) =>
  Effect.gen(function*() {
    return yield* (yield* HookRunner).preToolUse(callWith(hooks))
  })

const answered = (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  hook: Partial<HttpHook> = {}
) =>
  Effect.gen(function*() {
    const server = yield* hookServer(answer)
    return { server, outcome: yield* before([http({ url: `${server.address}/gate?key=secret`, ...hook })]) }
  }).pipe(Effect.provide(runner))

const text = (body: string, status = 200) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status).end(body)

describe("hooks over HTTP", () => {
  it.live("a hook gets the call as JSON by POST, and its answer decides", () =>
    Effect.gen(function*() {
      const { outcome, server } = yield* answered(
        text(says({ permissionDecision: "deny", permissionDecisionReason: "not here" }))
      )
      assert.strictEqual(outcome.decision, "deny")
      assert.strictEqual(outcome.reason, "not here")
      assert.strictEqual(outcome.name, `${server.address}/gate`)
      assert.strictEqual(server.got[0]?.headers["content-type"], "application/json")
      assert.strictEqual(JSON.parse(server.got[0]?.body ?? "").tool_name, "Bash")
    }).pipe(Effect.scoped))

  it.live("an empty body of any 2xx is no opinion, an allow is one", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* answered(text(""))).outcome.decision, "none")
      assert.strictEqual((yield* answered(text("", 204))).outcome.decision, "none")
      assert.strictEqual((yield* answered(text(says({ permissionDecision: "allow" }), 201))).outcome.decision, "allow")
    }).pipe(Effect.scoped))

  it.live("headers get the variables that are named, and no others", () =>
    Effect.gen(function*() {
      process.env["TOOLGATE_TEST_SECRET"] = "s3cret"
      const { server } = yield* answered(text(""), {
        headers: {
          authorization: "Bearer $TOOLGATE_TEST_SECRET",
          "x-home": "<${HOME}>",
          "x-both": "${TOOLGATE_TEST_SECRET}$PATH"
        },
        allowedEnvVars: ["TOOLGATE_TEST_SECRET"]
      })
      assert.strictEqual(server.got[0]?.headers["authorization"], "Bearer s3cret")
      assert.strictEqual(server.got[0]?.headers["x-home"], "<>")
      assert.strictEqual(server.got[0]?.headers["x-both"], "s3cret")
      assert.isUndefined(server.got[0]?.headers["traceparent"])
    }).pipe(Effect.scoped))

  it.live("an address that is not allowed is not asked, and only allowed variables are taken along", () =>
    Effect.gen(function*() {
      process.env["TOOLGATE_TEST_SECRET"] = "s3cret"
      const server = yield* hookServer(text(""))
      const hook = http({
        url: server.address,
        headers: { "x-secret": "<$TOOLGATE_TEST_SECRET>" },
        allowedEnvVars: ["TOOLGATE_TEST_SECRET"]
      })
      const under = (httpHooks: Policy["httpHooks"]) => {
        const call = callWith([hook])
        return Effect.flatMap(
          HookRunner,
          (hooks) =>
            hooks.preToolUse({ ...call, policy: { ...call.policy, ...(httpHooks === undefined ? {} : { httpHooks }) } })
        )
      }
      const elsewhere = yield* under({ allowedUrls: ["https://elsewhere.example/*"] })
      assert.strictEqual(elsewhere.decision, "ask")
      assert.match(elsewhere.runs[0]?.fault ?? "", /`allowedHttpHookUrls` does not allow/)
      assert.strictEqual((yield* under({ allowedUrls: [] })).decision, "ask")
      assert.strictEqual(server.got.length, 0)

      yield* under({ allowedUrls: [`${new URL(server.address).origin}/*`], allowedEnvVars: ["OTHER"] })
      yield* under({ allowedEnvVars: ["TOOLGATE_TEST_SECRET"] })
      yield* under(undefined)
      assert.deepStrictEqual(server.got.map(({ headers }) => headers["x-secret"]), ["<>", "<s3cret>", "<s3cret>"])
    }).pipe(Effect.provide(runner), Effect.scoped))

  const faults: ReadonlyArray<readonly [string, (request: IncomingMessage, response: ServerResponse) => void, RegExp]> =
    [
      ["500", text(says({ permissionDecision: "allow" }), 500), /answered with status 500/],
      ["404", text("", 404), /answered with status 404/],
      ["a redirect", (_, response) => void response.writeHead(307, { location: "/elsewhere" }).end(), /redirect/],
      ["text", text("all is well"), /no JSON object/],
      ["a list", text("[]"), /no JSON object/],
      ["broken JSON", text("{\"hookSpecificOutput\":"), /can't be read/],
      ["a reset", (request) => void request.socket.resetAndDestroy(), /could not be reached/],
      [
        "a reset in the middle",
        (request, response) => {
          response.writeHead(200, { "content-length": "500" }).write("{\"a\":")
          setTimeout(() => request.socket.resetAndDestroy(), 20)
        },
        /could not be reached/
      ],
      ["10 MB", text(`{"systemMessage":"${"x".repeat(10_000_000)}"}`), /more than a megabyte/]
    ]
  for (const [title, answer, fault] of faults) {
    it.live(`${title} has not decided: it asks, blocks or continues as the hook says`, () =>
      Effect.gen(function*() {
        const { outcome, server } = yield* answered(answer)
        assert.strictEqual(outcome.decision, "ask")
        assert.match(outcome.runs[0]?.fault ?? "", fault)
        assert.strictEqual(server.got.length, 1)
        assert.strictEqual((yield* answered(answer, { onFailure: "block" })).outcome.decision, "deny")
        assert.strictEqual((yield* answered(answer, { onFailure: "continue" })).outcome.decision, "none")
      }).pipe(Effect.scoped))
  }

  it.live("a server that hangs is left at the timeout, with no connection held", () =>
    Effect.gen(function*() {
      const { outcome, server } = yield* answered((_, response) => void response.writeHead(200).write("{"), {
        timeout: 0.3
      })
      assert.strictEqual(outcome.decision, "ask")
      assert.match(outcome.runs[0]?.fault ?? "", /longer than its 0.3 s/)
      yield* until(() => server.open() === 0)
    }).pipe(Effect.scoped))

  it.live("a fault over HTTP hides no deny beside it", () =>
    Effect.gen(function*() {
      const server = yield* hookServer(text("", 500))
      const outcome = yield* before([http({ url: server.address }), hookOf("echo no >&2; exit 2")])
      assert.strictEqual(outcome.decision, "deny")
      assert.strictEqual(outcome.reason, "no")
    }).pipe(Effect.provide(runner), Effect.scoped))

  it.live("addresses and headers that can't be used have not decided, and nothing is sent", () =>
    Effect.gen(function*() {
      for (const url of ["gate", "file:///etc/passwd", "http://user:pass@127.0.0.1/"]) {
        const outcome = yield* before([http({ url })])
        assert.match(outcome.runs[0]?.fault ?? "", /address/)
        assert.notInclude(outcome.messages.join(), "pass@")
      }
      const outcome = yield* before([http({ url: "http://127.0.0.1:9", headers: { a: "b\r\nc: d" } })])
      assert.match(outcome.runs[0]?.fault ?? "", /header/)
    }).pipe(Effect.provide(runner)))

  it.effect("the application's own client is used where there is one", () =>
    Effect.gen(function*() {
      const outcome = yield* before([http({ url: "https://gate.test/" })]).pipe(
        Effect.provide(Layer.fresh(runner)),
        Effect.provideService(
          HttpClient.HttpClient,
          HttpClient.make((request) =>
            Effect.succeed(HttpClientResponse.fromWeb(request, new Response(says({ permissionDecision: "deny" }))))
          )
        )
      )
      assert.strictEqual(outcome.decision, "deny")
    }))
})
