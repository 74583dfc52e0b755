/** A server on this machine that speaks the streams of the Messages API as recorded, or as badly as it is told. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { hookServer } from "../layers/hooks/hookServer.ts"

/**
 * `stream` is the text of an answer, or the name of a recorded one; `chunk` cuts it into pieces of so many bytes,
 * `cutAt` ends the connection after so many, `hangs` keeps it open after all of it.
 */
export type Reply =
  | { readonly stream: string; readonly chunk?: number; readonly cutAt?: number; readonly hangs?: boolean }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly message?: string }
  | "never"

interface Request {
  readonly system?: ReadonlyArray<{ readonly text: string }>
  readonly model: string
  readonly max_tokens: number
  readonly messages: ReadonlyArray<{
    readonly role: "user" | "assistant"
    readonly content: ReadonlyArray<{ readonly type: string; readonly [field: string]: unknown }>
  }>
  readonly tools: ReadonlyArray<{ readonly name: string; readonly input_schema: unknown }>
}

export interface ModelServer {
  readonly address: string
  readonly asked: () => ReadonlyArray<Request>
  readonly open: () => number
}

export const recorded = (name: string): string =>
  readFileSync(new URL(`../fixtures/streams/${name}.sse`, import.meta.url), "utf8")

/** What a block bears that the server is to keep in its cache. */
export const kept = { cache_control: { type: "ephemeral" } }

/** The last reply is given again and again. */
export const modelServer = (replies: ReadonlyArray<Reply>): Effect.Effect<ModelServer, never, Scope.Scope> => {
  let count = 0
  return Effect.map(
    hookServer((_, response) => {
      const reply = replies[Math.min(count++, replies.length - 1)] ?? "never"
      if (reply === "never") return
      if ("status" in reply) {
        response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
        const message = reply.message ?? "Overloaded"
        response.end(JSON.stringify({ type: "error", error: { type: "overloaded_error", message } }))
        return
      }
      response.writeHead(200, { "content-type": "text/event-stream" })
      const text = reply.stream.includes("\n") ? reply.stream : recorded(reply.stream)
      const bytes = Buffer.from(text).subarray(0, reply.cutAt)
      const chunk = reply.chunk ?? bytes.length
      for (let at = 0; at < bytes.length; at += chunk) response.write(bytes.subarray(at, at + chunk))
      if (reply.cutAt !== undefined) setImmediate(() => response.destroy())
      else if (reply.hangs !== true) response.end()
    }),
    (server) => ({
      address: server.address,
      asked: () => server.got.map(({ body }): Request => JSON.parse(body)),
      open: server.open
    })
  )
}

/** An answer as it is streamed: texts, and calls as `[id, name, input]`. */
export const streamed = (
  blocks: ReadonlyArray<string | readonly [id: string, name: string, input: unknown]>
): string =>
  [
    {
      type: "message_start",
      message: { role: "assistant", content: [], usage: { input_tokens: 10, output_tokens: 1 } }
    },
    ...blocks.flatMap((block, index) => [
      {
        type: "content_block_start",
        index,
        content_block: typeof block === "string"
          ? { type: "text", text: "" }
          : { type: "tool_use", id: block[0], name: block[1], input: {} }
      },
      {
        type: "content_block_delta",
        index,
        delta: typeof block === "string"
          ? { type: "text_delta", text: block }
          : { type: "input_json_delta", partial_json: JSON.stringify(block[2]) }
      },
      { type: "content_block_stop", index }
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: blocks.some((block) => typeof block !== "string") ? "tool_use" : "end_turn" },
      usage: { output_tokens: 5 }
    },
    { type: "message_stop" }
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")
