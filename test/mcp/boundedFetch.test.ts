import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import { boundedFetch } from "../../src/mcp/boundedFetch.ts"

const limit = 1_000

/** Fetches what a server answers piece by piece: its text, or why it broke off, and what the limit said. */
const fetching = (type: string, pieces: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.promise(() =>
      new Promise<ReturnType<typeof createServer>>((resolve) => {
        const server = createServer((_, response) => {
          response.writeHead(200, { "content-type": type })
          for (const piece of pieces) response.write(piece)
          response.end()
        })
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) =>
      Effect.promise(async () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const said: Array<string> = []
        const response = await boundedFetch(limit, (reason) => said.push(reason))(`http://127.0.0.1:${port}`)
        const text = await response.text().catch((error: unknown) => `broken: ${String(error)}`)
        return { text, said }
      }),
    (server) => Effect.sync(() => server.closeAllConnections())
  )

describe("boundedFetch", () => {
  it.live("an answer within the limit is what it was", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* fetching("application/json", ["{", "}"]), { text: "{}", said: [] })
    }))

  it.live("a message that is too long breaks off, and whoever waits hears of it", () =>
    Effect.gen(function*() {
      for (const type of ["application/json", "text/event-stream; charset=utf-8"]) {
        const { said, text } = yield* fetching(type, ["data: ", "x".repeat(600), "x".repeat(600)])
        assert.include(text, "it sent a message of more than 1000 bytes")
        assert.deepStrictEqual(said, ["it sent a message of more than 1000 bytes"])
      }
    }))

  it.live("a stream of events may be as long as it likes, however its lines end", () =>
    Effect.gen(function*() {
      for (const end of ["\n\n", "\r\n\r\n"]) {
        const events = Array.from({ length: 5 }, () => `data: ${"x".repeat(600)}${end}`)
        assert.deepStrictEqual(yield* fetching("text/event-stream", events), { text: events.join(""), said: [] })
      }
    }))
})
