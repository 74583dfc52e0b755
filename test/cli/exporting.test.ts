import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import * as path from "node:path"
import { attributesOf, collector, spansOf } from "../support/collector.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

const place = Effect.acquireRelease(Effect.sync(() => makePlace()), ({ remove }) => Effect.sync(remove))

const secret = "s3cret-file-of-the-user"

// A machine that is busy may need more than the second that there is otherwise.
const patient = "300000"

const read = (where: Place, env: Record<string, string>) =>
  Effect.promise(() => {
    writeFileSync(path.join(where.cwd, `${secret}.txt`), secret)
    return runToolgate(where, ["call", "Read", JSON.stringify({ file_path: `${secret}.txt` })], { env })
  })

const server = (answer: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const listening = createServer(answer)
      listening.listen(0, "127.0.0.1", () => {
        const address = listening.address()
        resume(Effect.succeed({
          url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
          close: () => {
            listening.closeAllConnections()
            listening.close()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const result = new RegExp(`^ +1\\t${secret}\\n$`)

describe("exporting", () => {
  it.live(
    "a call is sent to the collector that the environment names, without anything of the user's",
    () =>
      Effect.gen(function*() {
        const where = yield* place
        const to = yield* collector
        const { code, stderr, stdout } = yield* read(where, {
          OTEL_EXPORTER_OTLP_ENDPOINT: to.url,
          OTEL_EXPORTER_OTLP_TIMEOUT: patient,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: "x-key=of%20ours",
          TOOLGATE_DEBUG: ""
        })
        assert.match(stdout, result)
        assert.strictEqual(stderr, "")
        assert.strictEqual(code, 0)
        const [call] = spansOf(to)
        assert.strictEqual(call?.name, "toolgate.call")
        assert.strictEqual(call === undefined ? undefined : attributesOf(call)["toolgate.tool"], "Read")
        assert.isTrue(spansOf(to).every(({ name }) => name.startsWith("toolgate.")))
        const everything = [...to.sent.traces, ...to.sent.metrics, ...to.sent.logs].join("\n")
        assert.include(everything, "\"x-key\":\"of ours\"")
        assert.include(everything, "toolgate.decisions")
        assert.match(everything, /"service\.name","value":\{"stringValue":"toolgate"/)
        assert.notInclude(everything, secret)
        assert.notInclude(everything, where.cwd)
      }).pipe(Effect.scoped)
  )

  it.live("protobuf is spoken unless the environment says otherwise", () =>
    Effect.gen(function*() {
      const to = yield* collector
      yield* read(yield* place, {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${to.url}/v1/traces`,
        OTEL_EXPORTER_OTLP_TIMEOUT: patient,
        OTEL_SERVICE_NAME: "mine"
      })
      assert.strictEqual(to.sent.metrics.length, 0)
      assert.match(to.sent.traces[0] ?? "", /"content-type":"application\/x-protobuf"/)
      assert.include(to.sent.traces[0] ?? "", "mine")
    }).pipe(Effect.scoped))

  const collectors: ReadonlyArray<readonly [string, RequestListener | undefined, string, RegExp]> = [
    ["can't be reached", undefined, patient, /it can't be reached$/],
    ["never answers", () => {}, "300", /it did not answer within 300 ms$/],
    ["refuses", (_, response) => void response.writeHead(503).end(), patient, /it answered with status 503$/]
  ]
  for (const [title, answer, millis, why] of collectors) {
    it.live(`a collector that ${title} costs one line and no call`, () =>
      Effect.gen(function*() {
        const url = answer === undefined ? "http://user:pass@127.0.0.1:1/secret" : (yield* server(answer)).url
        const { code, stderr, stdout } = yield* read(yield* place, {
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_TIMEOUT: millis
        })
        assert.match(stdout, result)
        assert.strictEqual(code, 0)
        assert.match(stderr.trimEnd(), why)
        assert.strictEqual(stderr.trimEnd().split("\n").length, 1)
        assert.notMatch(stderr, /pass|secret/)
      }).pipe(Effect.scoped))
  }

  it.live("what can't be used is told in one line; what is switched off is not", () =>
    Effect.gen(function*() {
      const where = yield* place
      const said = (env: Record<string, string>) => Effect.map(read(where, env), ({ stderr }) => stderr)
      const nowhere = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }
      assert.match(
        yield* said({ ...nowhere, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
        /only http\/protobuf and http\/json/
      )
      for (
        const name of [
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_EXPORTER_OTLP_TIMEOUT",
          "OTEL_METRIC_EXPORT_INTERVAL",
          "OTEL_SDK_DISABLED"
        ]
      ) {
        const told = yield* said({ ...nowhere, [name]: "nonsense" })
        assert.strictEqual(told, `toolgate: note: \`${name}\` can't be read: nothing is sent\n`)
      }
      assert.strictEqual(yield* said({ ...nowhere, OTEL_SDK_DISABLED: "true" }), "")
      assert.strictEqual(yield* said({ ...nowhere, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }), "")
      assert.strictEqual(yield* said({ OTEL_EXPORTER_OTLP_ENDPOINT: "" }), "")
    }).pipe(Effect.scoped))
})
