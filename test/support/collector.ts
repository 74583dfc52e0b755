/** A collector of OpenTelemetry data that keeps what it is sent, on this machine. */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import type { Flusher } from "effect/observability/OtlpExporter"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"

export interface Collector {
  readonly url: string
  readonly layer: Layer.Layer<Flusher>
  /** Everything that was sent, as it came, by the kind of data. */
  readonly sent: { readonly traces: Array<string>; readonly metrics: Array<string>; readonly logs: Array<string> }
}

export const collector: Effect.Effect<Collector, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<Collector & { readonly close: () => void }>((resume) => {
    const sent: Collector["sent"] = { traces: [], metrics: [], logs: [] }
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const kind = /\/v1\/(traces|metrics|logs)$/.exec(request.url ?? "")?.[1]
        const text = JSON.stringify(request.headers) + Buffer.concat(chunks).toString("utf8")
        if (kind === "traces" || kind === "metrics" || kind === "logs") sent[kind].push(text)
        response.writeHead(kind === undefined ? 404 : 200, { "content-type": "application/json" }).end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const url = `http://127.0.0.1:${port}`
      const layer = Otlp.layerJson({
        baseUrl: url,
        resource: { serviceName: "toolgate-test" },
        loggerMergeWithExisting: false
      }).pipe(Layer.provide(FetchHttpClient.layer))
      resume(Effect.succeed({
        url,
        layer,
        sent,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
}

/** A span as it was sent. */
export interface Sent {
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>
  readonly events: ReadonlyArray<unknown>
}

/** The spans of what was sent, in order of their start. */
export const spansOf = ({ sent }: Collector): ReadonlyArray<Sent> =>
  sent.traces.flatMap((text) => {
    // What our own exporter sent has the shape that its module documents.
    const data = JSON.parse(text.slice(text.indexOf("}") + 1)) as {
      resourceSpans: ReadonlyArray<{ scopeSpans: ReadonlyArray<{ spans: ReadonlyArray<Sent> }> }>
    }
    return data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  }).sort((one, other) => Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano)))

export const attributesOf = (span: Sent): Record<string, string> =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? String(value.intValue)]))
