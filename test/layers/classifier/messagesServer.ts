/** A server on this machine that speaks as much of the Messages API as a judge needs. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { hookServer } from "../hooks/hookServer.ts"

const Asked = Schema.Struct({
  model: Schema.String,
  max_tokens: Schema.Int,
  system: Schema.optional(Schema.String),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String })),
  output_config: Schema.optional(
    Schema.Struct({ format: Schema.Struct({ type: Schema.Literal("json_schema"), schema: Schema.Unknown }) })
  )
})

export type Asked = typeof Asked.Type

export interface MessagesServer {
  readonly address: string
  readonly asked: () => ReadonlyArray<Asked>
  readonly headers: () => ReadonlyArray<{ readonly [name: string]: unknown }>
  readonly open: () => number
}

/** `reply` is the text that the model says, a status to fail with, a stop reason, or no answer ever. */
export type Reply =
  | { readonly text: string; readonly stop?: string }
  | { readonly status: number }
  | "never"

export const messagesServer = (reply: (asked: Asked) => Reply): Effect.Effect<MessagesServer, never, Scope.Scope> =>
  Effect.map(
    hookServer((request, response, body) => {
      const asked = decode(body)
      const said = request.url === "/v1/messages" ? reply(asked) : { status: 404 }
      if (said === "never") return
      response.setHeader("content-type", "application/json")
      if ("status" in said) {
        response.statusCode = said.status
        response.setHeader("x-should-retry", "false")
        response.end(JSON.stringify({ type: "error", error: { type: "api_error", message: "quotes: npm test" } }))
        return
      }
      response.end(JSON.stringify({
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: asked.model,
        content: [{ type: "text", text: said.text }],
        stop_reason: said.stop ?? "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 5 }
      }))
    }),
    (server) => ({
      address: server.address,
      asked: () => server.got.map(({ body }) => decode(body)),
      headers: () => server.got.map(({ headers }) => headers),
      open: server.open
    })
  )

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Asked))
