/**
 * The address on this machine that a browser comes back to after a sign-in.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { SignInFailed } from "../../errors/SignInFailed.ts"
import { page } from "./page.ts"

/**
 * A place that waits for one answer of a browser.
 *
 * **Details**
 *
 * `answer` is what came back with the right `state`; the browser waits until
 * `finish` says how it went on from there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Redirect {
  readonly url: string
  readonly answer: Effect.Effect<Answer>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Answer {
  readonly params: URLSearchParams
  readonly finish: (problem: string | undefined) => Effect.Effect<void>
}

/**
 * Listens on 127.0.0.1 until the scope closes, on any free port when none is
 * given.
 *
 * **Details**
 *
 * One answer counts. Whatever comes without the right `state`, to another path or
 * under another name of the machine is refused, and waiting goes on: any page
 * that a browser has open can send something here.
 *
 * @category constructors
 * @since 0.1.0
 */
export const listen = Effect.fnUntraced(function*(
  options: { readonly server: string; readonly state: string; readonly port: number | undefined }
): Effect.fn.Return<Redirect, SignInFailed, Scope.Scope> {
  const { port = 0, server: name, state } = options
  const answered = yield* Deferred.make<Answer>()
  let taken = false

  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    const { host = "" } = request.headers
    const asked = URL.parse(request.url ?? "", `http://${host}`)
    if (request.method !== "GET" || asked?.pathname !== "/callback" || !/^(?:127\.0\.0\.1|localhost):\d+$/.test(host)) {
      return send(response, 404, "There is nothing here")
    }
    const params = asked.searchParams
    if (params.get("state") !== state) return send(response, 400, "This does not belong to a sign-in that is under way")
    if (taken) return send(response, 410, "This sign-in was answered before")
    taken = true
    const finish = (problem: string | undefined) =>
      Effect.callback<void>((resume) => {
        // A browser that didn't wait gets no page.
        if (response.closed) return resume(Effect.void)
        response.once("close", () => resume(Effect.void))
        send(
          response,
          problem === undefined ? 200 : 400,
          problem === undefined ? `You are signed in to ${name}` : `You are not signed in to ${name}`,
          problem
        )
      })
    Deferred.doneUnsafe(answered, Effect.succeed({ params, finish }))
  }

  const server = yield* Effect.acquireRelease(
    Effect.callback<Server, SignInFailed>((resume) => {
      const server = createServer({ keepAlive: false }, respond)
      server.once("error", () => {
        const reason = `the port ${port} of this machine is taken, end what listens there or name another`
        resume(Effect.fail(new SignInFailed({ server: name, reason })))
      })
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return {
    // A client that somebody registered by hand, with its port, has this name in its address as a rule; for others
    // the number is what RFC 8252 wants.
    url: `http://${options.port === undefined ? "127.0.0.1" : "localhost"}:${bound}/callback`,
    answer: Deferred.await(answered)
  }
})

const send = (response: ServerResponse, status: number, title: string, problem?: string): void => {
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Connection": "close"
  }).end(page({ good: status === 200, title, ...(problem === undefined ? {} : { problem }) }))
}
