import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { freePort, started } from "../servers.ts"
import { authorizationOf, call, signedIn, withState } from "./calling.ts"

const program = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/sdk/examples/server/simpleStreamableHttp.js"
)

/** The official SDK's example server with its authorization server. */
const official = Effect.gen(function*() {
  const ports = { MCP_PORT: String(yield* freePort), MCP_AUTH_PORT: String(yield* freePort) }
  yield* started(
    process.execPath,
    [program, "--oauth", "--oauth-strict"],
    ports,
    /MCP Streamable HTTP Server listening/
  )
  return `http://localhost:${ports.MCP_PORT}/mcp`
})

describe("the official authorization server", () => {
  it.live("signs in, and its 500 to a bad token asks for a sign-in", () =>
    withState((state) =>
      Effect.scoped(Effect.gen(function*() {
        const url = yield* official
        const authorization = yield* authorizationOf(state, url)
        assert.strictEqual((yield* Effect.flip(call(authorization, url)))._tag, "McpAuthRequired")
        yield* signedIn(authorization)
        assert.include(yield* call(authorization, url, { name: "World" }), "Hello, World!")

        const folder = join(state, "mcp")
        const [file = ""] = readdirSync(folder)
        const kept = JSON.parse(readFileSync(join(folder, file), "utf8"))
        kept.tokens.access_token = "no-such-token"
        writeFileSync(join(folder, file), JSON.stringify(kept))
        assert.strictEqual((yield* Effect.flip(call(authorization, url)))._tag, "McpAuthRequired")
        yield* signedIn(authorization)
        assert.include(yield* call(authorization, url, { name: "again" }), "Hello, again!")
      }))
    ))
})
