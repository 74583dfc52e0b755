/** A server over HTTP whose connections break on request, in plain JSON-RPC. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

export interface Breaking {
  readonly url: string
  /** The methods that were asked for, in order. */
  readonly asked: Array<string>
  /** Forgets its session, as one does that was started again. */
  readonly forget: () => void
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: string }
}

const event = (message: object, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\nretry: 1\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`

const tools = ["echo", "cut", "cutResumable", "cutBody", "end", "reset"].map((name) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object" }
}))

const text = (said: string) => ({ content: [{ type: "text", text: said }] })

/** Serves over the newer transport, or the older with its stream of events for everything. */
export const breaking = Effect.fnUntraced(function*(
  transport: "http" | "sse"
): Effect.fn.Return<Breaking, never, Scope.Scope> {
  const asked: Array<string> = []
  let session = 1
  let stream: ServerResponse | undefined
  const cut = (response: ServerResponse | undefined) => setTimeout(() => response?.socket?.destroy(), 5)

  const resultOf = ({ method, params }: Message): object | undefined => {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "breaking", version: "1.0.0" }
        }
      case "tools/list":
        return { tools }
      case "tools/call":
        return params?.name === "echo" ? text(`session ${session}`) : undefined
      default:
        return undefined
    }
  }

  const overHttp = (message: Message, request: IncomingMessage, response: ServerResponse): void => {
    const { id, method, params } = message
    const open = request.headers["mcp-session-id"]
    if (open !== undefined && open !== `s${session}`) return void response.writeHead(404).end("no such session")
    if (id === undefined) return void response.writeHead(202).end()
    const progress = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: id, progress: 1, message: "begun" }
    }
    const streamed = (first: string) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(first)
      return response
    }
    if (method === "tools/call") {
      switch (params?.name) {
        case "cut":
          return void cut(streamed(event(progress)))
        case "cutResumable":
          return void cut(streamed(event(progress, String(id))))
        case "end":
          return void streamed(event(progress)).end()
        case "cutBody":
          response.writeHead(200, { "content-type": "application/json" }).write("{\"jsonrpc\":")
          return void cut(response)
        case "reset":
          return void request.socket.destroy()
      }
    }
    const result = resultOf(message)
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id,
      ...(result === undefined ? { error: { code: -32_601, message: "no such method" } } : { result })
    })
    const headers = method === "initialize" ? { "mcp-session-id": `s${session}` } : {}
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(body)
  }

  const overSse = (message: Message, response: ServerResponse): void => {
    response.writeHead(202).end()
    const { id, params } = message
    if (id === undefined) return
    if (params?.name === "cut") return void cut(stream)
    const result = resultOf(message)
    if (result !== undefined) stream?.write(event({ jsonrpc: "2.0", id, result }))
  }

  const server = createServer((request, response) => {
    if (request.method === "GET") {
      const last = request.headers["last-event-id"]
      if (transport === "http" && last === undefined) return void response.writeHead(405).end()
      response.writeHead(200, { "content-type": "text/event-stream" })
      if (transport === "http") {
        return void response.end(event({ jsonrpc: "2.0", id: Number(last), result: text("taken up again") }))
      }
      stream = response
      return void response.write("event: endpoint\ndata: /messages\n\n")
    }
    if (request.method !== "POST") return void response.writeHead(200).end()
    let body = ""
    request.on("data", (chunk) => body += String(chunk)).on("end", () => {
      const message: Message = JSON.parse(body)
      asked.push(message.params?.name ?? message.method)
      if (transport === "http") overHttp(message, request, response)
      else overSse(message, response)
    })
  })
  yield* Effect.addFinalizer(() =>
    Effect.promise(() =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      })
    )
  )
  const port = yield* Effect.promise(() =>
    new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
  )
  return { url: `http://127.0.0.1:${port}/mcp`, asked, forget: () => void session++ }
})
