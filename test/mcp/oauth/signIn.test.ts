import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { get } from "node:http"
import { connect as connectTo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect, promisify } from "node:util"
import * as Authorization from "../../../src/mcp/oauth/Authorization.ts"
import { signOut } from "../../../src/mcp/oauth/signOut.ts"
import { guarded } from "../../fixtures/mcp/guarded.ts"
import { authorizationOf, call, signedIn, withState } from "./calling.ts"

/** With a server, a state directory and the authorization of one for the other. */
const withServer = <A, E>(
  use: (
    at: {
      readonly server: Effect.Success<typeof guarded>
      readonly state: string
      readonly authorization: Effect.Success<ReturnType<typeof authorizationOf>>
    }
  ) => Effect.Effect<A, E, Effect.Services<ReturnType<typeof authorizationOf>>>
) =>
  withState((state) =>
    Effect.scoped(Effect.gen(function*() {
      const server = yield* guarded
      return yield* use({ server, state, authorization: yield* authorizationOf(state, server.url) })
    }))
  )

const kept = (state: string): ReadonlyArray<string> => {
  try {
    return readdirSync(join(state, "mcp"))
  } catch {
    return []
  }
}

const textKept = (state: string): string =>
  kept(state).map((file) => readFileSync(join(state, "mcp", file), "utf8")).join("\n")

describe("signIn", () => {
  it.live("a call asks for a sign-in, and goes on with it", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        const before = yield* Effect.flip(call(authorization, server.url))
        assert.strictEqual(before._tag, "McpAuthRequired")
        yield* signedIn(authorization)
        assert.include(yield* call(authorization, server.url), "you are the one")
      })
    ))

  it.live("what is kept is for the user alone, and nothing else stays behind", () =>
    withServer(({ authorization, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        const [file = "", ...others] = kept(state)
        assert.deepStrictEqual(others, [])
        assert.strictEqual(statSync(join(state, "mcp", file)).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(state, "mcp")).mode & 0o777, 0o700)
      })
    ))

  it.live("a refused consent is told by its code alone, and keeps nothing", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.consent = "refuses"
        const error = yield* Effect.flip(signedIn(authorization))
        assert.strictEqual(
          error.message,
          "you are not signed in to the server `notes`: the sign-in was refused (`access_denied`)"
        )
        assert.deepStrictEqual(kept(state), [])
      })
    ))

  it.live("a code that is no good any more keeps nothing", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.codes = "expired"
        const error = yield* Effect.flip(signedIn(authorization))
        assert.include(error.message, "the authorization server refused (`invalid_grant`)")
        assert.deepStrictEqual(kept(state), [])
      })
    ))

  it.live("the browser is told how it ended, in a page that runs nothing", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        const shown = (consent: "agrees" | "refuses") =>
          Effect.gen(function*() {
            server.consent = consent
            const page = yield* Deferred.make<{ readonly response: Response; readonly text: string }>()
            yield* Effect.exit(signedIn(authorization, (url) =>
              Effect.sync(() => {
                void fetch(url).then(async (response) =>
                  Deferred.doneUnsafe(page, Effect.succeed({ response, text: await response.text() }))
                )
                return true
              })))
            return yield* Deferred.await(page)
          })
        const good = yield* shown("agrees")
        assert.strictEqual(good.response.status, 200)
        assert.include(good.text, "You are signed in to notes")
        assert.include(good.response.headers.get("content-security-policy"), "default-src 'none'")
        const bad = yield* shown("refuses")
        assert.strictEqual(bad.response.status, 400)
        assert.include(bad.text, "You are not signed in to notes")
        assert.include(bad.text, "The sign-in was refused (access_denied).")
        assert.notInclude(good.text + bad.text, "<script")
      })
    ))

  it.live("an answer without the right state is refused, and does not end the sign-in", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.consent = "stays away"
        const statuses: Array<number> = []
        yield* signedIn(authorization, (url) =>
          Effect.promise(async () => {
            const page = new URL(url)
            const back = page.searchParams.get("redirect_uri") ?? ""
            for (
              const forged of [`${back}?code=theirs&state=theirs`, `${back}?code=theirs`, new URL("/x", back).href]
            ) {
              statuses.push((await fetch(forged)).status)
            }
            server.consent = "agrees"
            void fetch(url).then(async () => {
              // The first answer counts, and nobody listens any more.
              await fetch(`${back}?code=again&state=${page.searchParams.get("state")}`).catch(() => statuses.push(0))
            })
            return true
          }))
        assert.deepStrictEqual(statuses.slice(0, 3), [400, 400, 404])
        assert.strictEqual(kept(state).length, 1)
      })
    ))

  it.live("a browser that goes away before it hears how it ended changes nothing", () =>
    withServer(({ authorization, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization, (url) =>
          Effect.promise(async () => {
            const { headers } = await fetch(url, { redirect: "manual" })
            const back = new URL(headers.get("location") ?? "")
            const socket = connectTo(Number(back.port), back.hostname)
            socket.end(`GET ${back.pathname}${back.search} HTTP/1.1\r\nHost: ${back.host}\r\n\r\n`)
            socket.once("connect", () => setImmediate(() => socket.resetAndDestroy()))
            return true
          }))
        assert.strictEqual(kept(state).length, 1)
      })
    ))

  it.live("an answer under another name than this machine's is refused", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        server.consent = "stays away"
        const statuses: Array<number | undefined> = []
        yield* Effect.flip(signedIn(authorization, (url) =>
          Effect.promise(async () => {
            const page = new URL(url)
            const back = new URL(page.searchParams.get("redirect_uri") ?? "")
            const path = `${back.pathname}?code=x&state=${page.searchParams.get("state")}`
            for (const host of ["evil.example", `evil.example:${back.port}`, "127.0.0.1.evil.example:80"]) {
              statuses.push(
                await new Promise((resolve) => {
                  get({ port: back.port, host: back.hostname, path, headers: { host } }, (response) => {
                    response.resume()
                    resolve(response.statusCode)
                  })
                })
              )
            }
            return false
          })))
        assert.deepStrictEqual(statuses, [404, 404, 404])
      })
    ))

  it.effect("it waits for the browser for five minutes", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.consent = "stays away"
        const visited = yield* Deferred.make<void>()
        const waiting = yield* Effect.forkChild(Effect.flip(signedIn(
          authorization,
          () => Effect.as(Deferred.succeed(visited, undefined), true)
        )))
        yield* Deferred.await(visited)
        yield* TestClock.adjust("5 minutes")
        assert.include((yield* Fiber.join(waiting)).message, "no answer came back from the browser")
        assert.deepStrictEqual(kept(state), [])
      })
    ))

  it.live("nobody there to sign in is a failure, and nothing listens afterwards", () =>
    withServer(({ authorization }) =>
      Effect.gen(function*() {
        let back = ""
        const error = yield* Effect.flip(signedIn(authorization, (url) =>
          Effect.sync(() => {
            back = new URL(url).searchParams.get("redirect_uri") ?? ""
            return false
          })))
        assert.include(error.message, "nobody opened the page")
        yield* Effect.promise(() => fetch(back).then(() => assert.fail("somebody listens"), () => {}))
      })
    ))

  it.live("a port that is taken is said, with what to do", () =>
    withServer(({ server, state }) =>
      Effect.gen(function*() {
        const callbackPort = Number(new URL(server.url).port)
        const taken = yield* authorizationOf(state, server.url, { oauth: { callbackPort } })
        const error = yield* Effect.flip(signedIn(taken))
        assert.include(error.message, `the port ${callbackPort} of this machine is taken`)
      })
    ))

  it.live("a server that wants more than was granted is signed in to again, for all of it", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        server.scope = "read write"
        assert.strictEqual((yield* Effect.flip(call(authorization, server.url)))._tag, "McpAuthRequired")
        // Another process learns of it from what is kept.
        const other = yield* authorizationOf(state, server.url)
        assert.strictEqual(yield* other.standing, "too little")
        yield* signedIn(other)
        assert.strictEqual(yield* other.standing, "enough")
        assert.include(yield* call(authorization, server.url), "you are the one")
      })
    ))

  it.live("headers that authorize leave nothing to sign in to", () =>
    withState((state) =>
      Effect.gen(function*() {
        const config = { url: "https://mcp.example/mcp", headers: { AUTHORIZATION: "Bearer theirs" } }
        assert.isUndefined(yield* Authorization.make(state, { name: "notes", config }))
      })
    ))
})

describe("renewal", () => {
  it.live("a token that ended is renewed on the way, once", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        const before = textKept(state)
        server.expire()
        assert.include(yield* call(authorization, server.url), "you are the one")
        assert.strictEqual(server.seen.refreshed, 1)
        assert.notStrictEqual(textKept(state), before)
      })
    ))

  it.live("a token is renewed before it ends", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        server.expiresIn = 5
        server.badToken = 500
        yield* signedIn(authorization)
        server.expiresIn = 3600
        server.expire()
        assert.include(yield* call(authorization, server.url), "you are the one")
        assert.strictEqual(server.seen.refreshed, 1)
      })
    ))

  it.live("calls of several processes at once lose no rotated token", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        server.expire()
        const script = fileURLToPath(new URL("callOnce.ts", import.meta.url))
        const run = Effect.promise(() => promisify(execFile)(process.execPath, [script, state, server.url]))
        const ran = yield* Effect.all(
          [run, run, run, call(authorization, server.url), call(authorization, server.url)],
          {
            concurrency: "unbounded"
          }
        )
        for (const one of ran) assert.include(JSON.stringify(one), "you are the one")
        assert.strictEqual(server.seen.refreshed, 1)
      })
    ))

  it.live("a refresh token that was revoked needs a person, and is forgotten", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        server.expire()
        server.refresh.clear()
        const error = yield* Effect.flip(call(authorization, server.url))
        assert.strictEqual(error._tag, "McpAuthRequired")
        assert.include(error.message, "toolgate mcp login notes")
        assert.deepStrictEqual(kept(state), [])
        yield* signedIn(authorization)
        assert.include(yield* call(authorization, server.url), "you are the one")
      })
    ))

  it.live("an authorization server that is down is no reason to sign in again", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        server.expire()
        server.tokenEndpoint = "fails"
        const error = yield* Effect.flip(call(authorization, server.url))
        assert.strictEqual(error._tag, "McpConnectFailed")
        assert.include(error.message, "its sign-in can't be renewed now: the authorization server refused")
        server.tokenEndpoint = "works"
        assert.include(yield* call(authorization, server.url), "you are the one")
      })
    ))

  it.live("a server that answers a bad token with 500 is no different", () =>
    withServer(({ authorization, server }) =>
      Effect.gen(function*() {
        server.badToken = 500
        yield* signedIn(authorization)
        server.expire()
        assert.include(yield* call(authorization, server.url), "you are the one")
        assert.strictEqual(server.seen.refreshed, 1)
        server.expire()
        server.refresh.clear()
        assert.strictEqual((yield* Effect.flip(call(authorization, server.url)))._tag, "McpAuthRequired")
      })
    ))

  it.live("a file that was damaged counts as nothing, and is replaced", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        const file = join(state, "mcp", kept(state)[0] ?? "")
        for (const damage of ["", "{", "{\"tokens\":{}}", "null"]) {
          writeFileSync(file, damage)
          assert.strictEqual((yield* Effect.flip(call(authorization, server.url)))._tag, "McpAuthRequired")
        }
        yield* signedIn(authorization)
        assert.include(yield* call(authorization, server.url), "you are the one")
      })
    ))
})

describe("signOut", () => {
  it.live("both tokens are taken back, and what was kept is gone", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        const tokens = [...server.refresh.keys(), ...server.access.keys()]
        assert.deepStrictEqual(yield* signOut(state, "notes"), [{ url: server.url, revoked: true }])
        assert.deepStrictEqual(server.seen.revoked, tokens)
        assert.deepStrictEqual(kept(state), [])
        assert.strictEqual((yield* Effect.flip(call(authorization, server.url)))._tag, "McpAuthRequired")
      })
    ))

  it.live("a provider of OpenID, whose place to be told is in its own document alone, is told there", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.metadata = "openid"
        yield* signedIn(authorization)
        assert.deepStrictEqual(yield* signOut(state, "notes"), [{ url: server.url, revoked: true }])
        assert.strictEqual(server.seen.revoked.length, 2)
      })
    ))

  it.live("what was kept is gone even where the server can't be told", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        server.revocation = "missing"
        yield* signedIn(authorization)
        assert.deepStrictEqual(yield* signOut(state, "notes"), [{ url: server.url, revoked: false }])
        server.revocation = "fails"
        yield* signedIn(authorization)
        const [ended] = yield* signOut(state, "notes")
        assert.isFalse(ended?.revoked)
        assert.include(ended?.problem, "the authorization server")
        assert.deepStrictEqual(kept(state), [])
      })
    ))

  it.live("a server that nobody signed in to has nothing to end, nor has another of its name", () =>
    withServer(({ authorization, state }) =>
      Effect.gen(function*() {
        yield* signedIn(authorization)
        assert.deepStrictEqual(yield* signOut(state, "others"), [])
        assert.strictEqual(kept(state).length, 1)
      })
    ))
})

describe("tokens", () => {
  it.live("are in no error and no result, whatever a server repeats", () =>
    withServer(({ authorization, server, state }) =>
      Effect.gen(function*() {
        const told: Array<unknown> = []
        const tell = <R>(effect: Effect.Effect<unknown, unknown, R>) =>
          Effect.map(Effect.exit(effect), (exit) => void told.push(exit, JSON.stringify(exit)))
        yield* tell(signedIn(authorization))
        yield* tell(call(authorization, server.url))
        server.expire()
        yield* tell(call(authorization, server.url))
        server.scope = "all"
        yield* tell(call(authorization, server.url))
        server.tokenEndpoint = "fails"
        server.expire()
        yield* tell(call(authorization, server.url))
        server.tokenEndpoint = "works"
        server.refresh.clear()
        server.badToken = 500
        yield* tell(call(authorization, server.url))
        server.codes = "expired"
        yield* tell(signedIn(authorization))
        server.codes = "good"
        yield* tell(signedIn(authorization))
        server.revocation = "fails"
        yield* tell(signOut(state, "notes"))
        assert.isAbove(server.issued.length, 10)
        const text = told.map((one) => typeof one === "string" ? one : inspect(one, { depth: 20 })).join("\n")
        assert.include(text, "[token]")
        for (const secret of server.issued) assert.notInclude(text, secret)
      })
    ))
})
