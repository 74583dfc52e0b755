/**
 * Fetches one address of the web, and nothing that it was not asked for.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { isIP, type LookupFunction } from "node:net"
import type { Duplex } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { ToolFailed, ToolTimedOut } from "../errors/ExecuteError.ts"
import { isPublic } from "./publicAddress.ts"
import { quoted } from "./quoted.ts"
import type { Limits } from "./WebLimits.ts"

/**
 * What an address answered.
 *
 * **Details**
 *
 * `Elsewhere` is a redirect to another host: whether that may be fetched is
 * another question, so it is not followed. `cut` says that there was more.
 *
 * @category models
 * @since 0.1.0
 */
export type Page =
  | {
    readonly _tag: "Page"
    readonly url: URL
    readonly status: number
    readonly type: string
    readonly bytes: Uint8Array
    readonly cut: boolean
  }
  | { readonly _tag: "Elsewhere"; readonly url: URL; readonly status: number }

/**
 * Fetches an address.
 *
 * **Details**
 *
 * An address of this machine or its own net is refused unless the limits name
 * its host, by the IP address that is really connected to, so that a name which
 * leads there gains nothing. Redirects on the same host are followed. An answer is
 * good for 15 minutes, redirects included, unless it is an error.
 *
 * @category running
 * @since 0.1.0
 */
export const fetchPage = Effect.fnUntraced(function*(
  url: URL,
  limits: Limits
): Effect.fn.Return<Page, ToolFailed | ToolTimedOut> {
  const pages = yield* pagesOf(limits)
  const known = yield* Cache.getSuccess(pages, url.href)
  if (known._tag === "Some") return known.value
  const page = yield* fetchNow(url, limits)
  if (page.status < 400) yield* Cache.set(pages, url.href, page)
  return page
})

/** Under other limits an address may have another answer. */
const caches = new WeakMap<Limits, Cache.Cache<string, Page>>()

const pagesOf = Effect.fnUntraced(function*(limits: Limits): Effect.fn.Return<Cache.Cache<string, Page>> {
  const known = caches.get(limits)
  if (known !== undefined) return known
  // Nothing is looked up through it: who shares a fetch would share its interruption.
  const made = yield* Cache.make<string, Page>({ capacity: 16, timeToLive: "15 minutes", lookup: () => Effect.never })
  caches.set(limits, made)
  return made
})

const fetchNow = (url: URL, limits: Limits): Effect.Effect<Page, ToolFailed | ToolTimedOut> =>
  follow(url, limits, limits.redirects).pipe(
    Effect.provide(NodeHttpClient.layerNodeHttpOptions({ keepAlive: false, lookup: guarded(limits) })),
    Effect.timeoutOrElse({
      duration: limits.timeoutMillis,
      orElse: () => Effect.fail(new ToolTimedOut({ limitMillis: limits.timeoutMillis }))
    })
  )

const follow = Effect.fnUntraced(function*(
  url: URL,
  limits: Limits,
  redirects: number
): Effect.fn.Return<Page, ToolFailed, HttpClient.HttpClient> {
  if (refuses(url, limits)) return yield* closed(url)
  const answer = yield* Effect.scoped(ask(url, limits))
  if (answer._tag === "Page") return answer
  if (answer.url.host !== url.host || answer.url.protocol !== url.protocol) return answer
  if (redirects === 0) {
    return yield* new ToolFailed({ reason: `${quoted(url.href)} redirects more than ${limits.redirects} times` })
  }
  return yield* follow(answer.url, limits, redirects - 1)
})

/** A name is judged when it is looked up, a number has no name. */
const refuses = (url: URL, { privateHosts }: Limits): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return isIP(host) !== 0 && !isPublic(host) && !privateHosts.includes(url.host) && !privateHosts.includes(url.hostname)
}

const closed = (url: URL): ToolFailed =>
  new ToolFailed({
    reason: `${quoted(url.host)} is an address of this machine or of its own network, which may not be fetched`
  })

const ask = Effect.fnUntraced(function*(
  url: URL,
  limits: Limits
): Effect.fn.Return<Page, ToolFailed, HttpClient.HttpClient | Scope.Scope> {
  const response = yield* Effect.mapError(
    HttpClient.execute(HttpClientRequest.get(url, {
      headers: {
        accept: "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1",
        "accept-encoding": "gzip, br, deflate",
        "user-agent": "toolgate"
      }
    })),
    (error) => isRefusal(error) ? closed(url) : unreachable(url, error)
  )
  const { headers, status } = response
  const location = status >= 300 && status < 400 ? headers["location"] : undefined
  if (location !== undefined) {
    const target = URL.parse(location, url.href)
    if (target === null || !/^https?:$/.test(target.protocol)) {
      return yield* new ToolFailed({
        reason: `${quoted(url.href)} redirects to ${quoted(location)}, which is no web address`
      })
    }
    return { _tag: "Elsewhere", url: target, status }
  }
  const encoding = (headers["content-encoding"] ?? "identity").toLowerCase()
  const unpack = unpackers.get(encoding)
  if (unpack === undefined && encoding !== "identity") {
    return yield* new ToolFailed({ reason: `${quoted(url.href)} answers in the encoding ${quoted(encoding)}, unasked` })
  }
  const { bytes, cut } = yield* body(url, response.stream, unpack, limits.bytes)
  return { _tag: "Page", url, status, type: headers["content-type"] ?? "", bytes, cut }
})

const unpackers: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress]
])

const body = (
  url: URL,
  packed: HttpClientResponse["stream"],
  unpack: (() => Duplex) | undefined,
  limit: number
): Effect.Effect<{ readonly bytes: Uint8Array; readonly cut: boolean }, ToolFailed> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  // The limit is for what comes out: a bomb is put down after so much of it.
  const whole = unpack === undefined ? packed : NodeStream.pipeThroughDuplex(packed, {
    evaluate: unpack,
    onError: (cause) => cause
  })
  return whole.pipe(
    Stream.takeUntil((piece) => {
      pieces.push(piece)
      size += piece.length
      return size > limit
    }),
    Stream.runDrain,
    Effect.mapError((error) => unreachable(url, error)),
    Effect.map(() => ({ bytes: Buffer.concat(pieces).subarray(0, limit), cut: size > limit }))
  )
}

const unreachable = (url: URL, error: unknown): ToolFailed => {
  const code = codeOf(error)
  return new ToolFailed({ reason: `${quoted(url.href)} could not be fetched${why(code)}`, cause: error })
}

const why = (code: string | undefined): string => {
  switch (code) {
    case undefined:
      return ""
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return ": there is no such host"
    case "ECONNREFUSED":
      return ": nobody answers there"
    case "ECONNRESET":
    case "HPE_INVALID_EOF_STATE":
      return ": the connection ended too early"
    case "Z_DATA_ERROR":
    case "Z_BUF_ERROR":
    case "ERR_BROTLI_DECODER_ERROR_UNREACHABLE":
      return ": what came can't be unpacked"
    default:
      return `: the system says ${code}`
  }
}

/** Foreign errors hold their reason somewhere below. */
const below = (error: unknown): ReadonlyArray<object> => {
  const found: Array<object> = []
  for (let one = error; Predicate.isObject(one) && !found.includes(one) && found.length < 10;) {
    found.push(one)
    const next: unknown = Predicate.hasProperty(one, "cause") && one.cause !== undefined
      ? one.cause
      : Predicate.hasProperty(one, "reason")
      ? one.reason
      : undefined
    one = next
  }
  return found
}

const codeOf = (error: unknown): string | undefined => {
  for (const one of below(error)) {
    if (Predicate.hasProperty(one, "code") && typeof one.code === "string") return one.code
  }
  return undefined
}

const refusal = "TOOLGATE_PRIVATE"

const isRefusal = (error: unknown): boolean => codeOf(error) === refusal

/** INVARIANT: what is judged here is what is connected to; nothing is looked up a second time. */
const guarded = (limits: Limits): LookupFunction => (name, options, done) => {
  limits.resolve(name).then(
    (found) => {
      const allowed = limits.privateHosts.some((host) => host.replace(/:\d+$/, "") === name)
      const [first] = found
      if (first === undefined) return done(Object.assign(new Error("no such host"), { code: "ENOTFOUND" }), "")
      if (!allowed && !found.every(({ address }) => isPublic(address))) {
        return done(Object.assign(new Error("a private address"), { code: refusal }), "")
      }
      if (options.all === true) return done(null, [...found])
      return done(null, first.address, first.family)
    },
    (cause: NodeJS.ErrnoException) => done(cause, "")
  )
}
