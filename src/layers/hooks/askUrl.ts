/**
 * A hook as an address: it gets what a program would read, and its body is read
 * as what a program would print.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { HttpHook } from "../../domain/Hook.ts"
import { HookOutput, outputOf } from "./HookOutput.ts"
import type { HookEnd } from "./HookProcess.ts"
import type { NotRun } from "./HookResult.ts"

/**
 * Asks a hook over HTTP, with the application's own client where there is one.
 *
 * **Details**
 *
 * An empty body is no opinion. Whatever is neither that nor a JSON object of at
 * most a megabyte with a status of 2xx has not decided. No redirect is followed:
 * the address is the one that settings name.
 *
 * @category running
 * @since 0.1.0
 */
export const askUrl = (
  hook: HttpHook,
  told: string,
  services: Context.Context<never>,
  environment: { readonly [name: string]: string | undefined } = process.env
): Effect.Effect<HookEnd | NotRun> => {
  const headers = headersOf(hook, environment)
  if (!isAddress(hook.url)) return Effect.succeed(notRun("has an address that can't be used"))
  if (headers === undefined) return Effect.succeed(notRun("has a header that can't be sent"))
  const request = HttpClientRequest.post(hook.url, { headers }).pipe(
    HttpClientRequest.bodyText(told, "application/json")
  )
  const asked = Effect.flatMap(
    HttpClient.execute(request),
    (response): Effect.Effect<HookEnd | NotRun, unknown> => {
      const { status } = response
      if (status >= 300 && status < 400) {
        return Effect.succeed(notRun("answered with a redirect, which is not followed"))
      }
      if (status < 200 || status > 299) return Effect.succeed(notRun(`answered with status ${status}`))
      // What has no body at all has no stream either.
      if (status === 204 || status === 205) return Effect.succeed(endOf(new HookOutput()))
      return Effect.map(
        Stream.runFoldEffect(response.stream, () => new HookOutput(), (kept, bytes: Uint8Array) => {
          kept.add(bytes)
          return kept.isCut ? Effect.fail(tooMuch) : Effect.succeed(kept)
        }),
        endOf
      )
    }
  )
  const own = Context.getOption(services, HttpClient.HttpClient)
  return asked.pipe(
    Effect.scoped,
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    // The address and the headers are the user's, not for whoever collects spans.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Option.isSome(own)
      ? Effect.provideService(HttpClient.HttpClient, own.value)
      : Effect.provide(FetchHttpClient.layer),
    Effect.catchCause((cause) => {
      const [error] = cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [reason.error] : [])
      return cause.reasons.some((reason) => reason._tag === "Interrupt")
        ? Effect.interrupt
        : Effect.succeed(notRun(error === tooMuch ? "answered with more than a megabyte" : whyNot(error)))
    })
  )
}

const tooMuch = Symbol("too much")

const notRun = (reason: string): NotRun => ({ ending: { _tag: "NotRun", reason } })

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

const headersOf = (
  { allowedEnvVars = [], headers = {} }: HttpHook,
  environment: { readonly [name: string]: string | undefined }
): { readonly [name: string]: string } | undefined => {
  const filled = Object.entries(headers).map(([name, text]) =>
    [
      name,
      text.replace(
        /\$\{(\w+)\}|\$(\w+)/g,
        (_, braced: string | undefined, bare: string | undefined) => {
          const variable = braced ?? bare ?? ""
          return allowedEnvVars.includes(variable) ? environment[variable] ?? "" : ""
        }
      )
    ] as const
  )
  return filled.every(([name, text]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    ? Object.fromEntries(filled)
    : undefined
}

const endOf = (body: HookOutput): HookEnd | NotRun => {
  const text = body.text.trim()
  return text === "" || text.startsWith("{")
    ? { ending: { _tag: "Exited", code: 0 }, stdout: body, stderr: outputOf("") }
    : notRun("answered with what is no JSON object")
}

/** The code that the system gave it, from as deep as it is wrapped. */
const whyNot = (error: unknown): string => {
  let found: unknown = error
  for (let depth = 0; depth < 8 && found !== undefined && found !== null; depth++) {
    if (Predicate.hasProperty(found, "code") && typeof found.code === "string" && /^\w{1,40}$/.test(found.code)) {
      return `could not be reached: ${found.code}`
    }
    found = Predicate.hasProperty(found, "reason") && Predicate.isObject(found.reason)
      ? found.reason
      : Predicate.hasProperty(found, "cause")
      ? found.cause
      : undefined
  }
  return "could not be reached"
}
