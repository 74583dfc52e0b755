/** A server on this machine that answers hooks as it is told, and keeps what they sent. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"

export interface HookServer {
  readonly address: string
  readonly got: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }>
  /** How many connections are open. */
  readonly open: () => number
}

export const hookServer = (
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
): Effect.Effect<HookServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: HookServer; readonly stop: () => void }>((resume) => {
        const got: HookServer["got"] = []
        let open = 0
        const http = createServer((request, response) => {
          let body = ""
          request.setEncoding("utf8")
          request.on("data", (text: string) => body += text)
          request.on("end", () => {
            got.push({ headers: request.headers, body, path: request.url ?? "" })
            answer(request, response, body)
          })
        })
        http.on("connection", (socket) => {
          open++
          socket.on("close", () => open--)
        })
        http.listen(0, "127.0.0.1", () => {
          const at = http.address()
          const port = typeof at === "object" && at !== null ? at.port : 0
          resume(Effect.succeed({
            server: { address: `http://127.0.0.1:${port}`, got, open: () => open },
            stop: () => {
              http.closeAllConnections()
              http.close()
            }
          }))
        })
      }),
      ({ stop }) => Effect.sync(stop)
    ),
    ({ server }) => server
  )
