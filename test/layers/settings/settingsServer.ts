/** A server on this machine that answers as it is told, and counts who asks. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

export interface SettingsServer {
  readonly address: string
  /** What comes next. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** The `if-none-match` of each request so far. */
  readonly asked: Array<string | undefined>
  readonly stop: Effect.Effect<void>
}

export const settingsServer: Effect.Effect<SettingsServer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<SettingsServer>((resume) => {
    const http = createServer((request, response) => {
      server.asked.push(request.headers["if-none-match"])
      server.answer(request, response)
    })
    const server: SettingsServer = {
      address: "",
      answer: (_, response) => void response.writeHead(404).end(),
      asked: [],
      stop: Effect.callback((done) => {
        http.closeAllConnections()
        http.close(() => done(Effect.void))
      })
    }
    http.listen(0, "127.0.0.1", () => {
      const at = http.address()
      const port = typeof at === "object" && at !== null ? at.port : 0
      resume(Effect.succeed(Object.assign(server, { address: `http://127.0.0.1:${port}/settings.json` })))
    })
  }),
  ({ stop }) => stop
)

/** Answers with settings, and that nothing changed to whoever has them. */
export const serves = (text: string, etag?: string): SettingsServer["answer"] => (request, response) => {
  if (etag !== undefined && request.headers["if-none-match"] === etag) return void response.writeHead(304).end()
  response.writeHead(200, { "content-type": "application/json", ...(etag === undefined ? {} : { etag }) }).end(text)
}

export const status = (code: number, headers: Record<string, string> = {}): SettingsServer["answer"] => (_, response) =>
  void response.writeHead(code, headers).end("{}")
