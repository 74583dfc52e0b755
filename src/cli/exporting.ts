/**
 * Sends traces, numbers and what is logged to a collector, for `OTEL_…` variables
 * of the environment. Loaded only where these name one.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as Tracer from "effect/Tracer"
import { line } from "./line.ts"
import { version } from "./version.ts"
import * as write from "./write.ts"

/**
 * Layer that exports what the pipeline tells of calls.
 *
 * **Details**
 *
 * Everything is sent at the end of the program at the latest, after the result is
 * written, and that takes `OTEL_EXPORTER_OTLP_TIMEOUT` at most (a second when left
 * out). A collector that can't be reached, does not answer or refuses costs a
 * line, no call. Spans of other libraries, which may hold the user's texts, stay
 * here.
 *
 * @category layers
 * @since 0.1.0
 */
export const exporting = (environment: { readonly [name: string]: string | undefined }): Layer.Layer<never> => {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => value === undefined || value === "" ? [] : [[name, value]])
  )
  const env = { ...standard, ...given }
  const protocol = env["OTEL_EXPORTER_OTLP_PROTOCOL"]
  if (protocol !== "http/protobuf" && protocol !== "http/json") {
    const problem =
      `\`OTEL_EXPORTER_OTLP_PROTOCOL\` is \`${protocol}\`, and only http/protobuf and http/json are spoken`
    return Layer.effectDiscard(note(`${problem}: nothing is sent`))
  }
  const exporters = Otlp.layerFromConfig({ resource: { serviceVersion: version } }).pipe(
    Layer.provide(protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf),
    Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, patient(timeoutOf(env))))),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
  )
  return Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, ownSpans)).pipe(
    Layer.provideMerge(exporters),
    Layer.catchCause((cause) => {
      // Its name alone: what it says may be secret.
      const which = Object.keys(env).find((name) => Cause.pretty(cause).includes(`["${name}"]`)) ?? "OTEL_…"
      return Layer.effectDiscard(note(`\`${which}\` can't be read: nothing is sent`))
    })
  )
}

// What the standard says of variables that are not set.
const standard: { readonly [name: string]: string } = {
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_SERVICE_NAME: "toolgate"
}

const timeoutOf = (env: { readonly [name: string]: string | undefined }): number => {
  const millis = Number(env["OTEL_EXPORTER_OTLP_TIMEOUT"])
  return Number.isFinite(millis) && millis > 0 ? Math.min(millis, 10_000) : 1_000
}

const note = (text: string): Effect.Effect<void> => write.err(line(`note: ${text}`))

/**
 * A client that tries nothing twice: what goes wrong is told once, and answered for
 * a while with a status that no exporter tries again.
 */
const patient = (timeoutMillis: number) => (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let told = false
  let trustedFrom = 0
  const refused = (request: HttpClientRequest) =>
    HttpClientResponse.fromWeb(request, new Response(null, { status: 400 }))
  const fails = (request: HttpClientRequest, why: string) =>
    Effect.suspend(() => {
      trustedFrom = performance.now() + pauseMillis
      const before = told
      told = true
      const problem = `traces and numbers could not be sent to the collector at \`${originOf(request)}\`: it ${why}`
      return Effect.as(before ? Effect.void : note(problem), refused(request))
    })
  return HttpClient.transform(
    client,
    (response, request) =>
      performance.now() < trustedFrom ? Effect.succeed(refused(request)) : response.pipe(
        Effect.flatMap((answer) =>
          answer.status < 300 ? Effect.succeed(answer) : fails(request, `answered with status ${answer.status}`)
        ),
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () => fails(request, `did not answer within ${timeoutMillis} ms`)
        }),
        Effect.catch(() => fails(request, "can't be reached"))
      )
  )
}

const pauseMillis = 5_000

/** The rest of an address may hold what is secret. */
const originOf = ({ url }: HttpClientRequest): string => URL.parse(url)?.origin ?? "its address"

/** Spans of our own are exported, whatever they lie in; no others are, which may hold the user's texts. */
const ownSpans = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: options.name.startsWith("toolgate.") })
  })
