/**
 * Connections to a server that wants a sign-in, as `toolgate` makes them, with what is kept in a folder of the test's
 * own.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "../../../src/mcp/connect.ts"
import { connectErrorOf } from "../../../src/mcp/connectErrorOf.ts"
import * as Authorization from "../../../src/mcp/oauth/Authorization.ts"
import type { RemoteServer } from "../../../src/mcp/ServerConfig.ts"
import type { Visit } from "../../../src/services/McpServers.ts"

/** A state directory for one test. */
export const withState = <A, E>(
  use: (state: string) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "toolgate-oauth-"))),
    (state) => Effect.provide(use(state), NodeServices.layer),
    (state) => Effect.sync(() => rmSync(state, { recursive: true, force: true }))
  )

/** A browser without a window: goes to the page and follows where it leads. */
const browser: Visit = (url) =>
  Effect.sync(() => {
    void fetch(url).catch(() => {})
    return true
  })

export const authorizationOf = (state: string, url: string, more: Partial<RemoteServer> = {}) =>
  Effect.flatMap(
    Authorization.make(state, { name: "notes", config: { url, ...more } }),
    (made) => made === undefined ? Effect.die("the server has no authorization") : Effect.succeed(made)
  )

export const signedIn = (authorization: Authorization.Authorization, visit: Visit = browser) =>
  authorization.signIn(visit)

/** Connects, and calls the server's first tool. */
export const call = (
  authorization: Authorization.Authorization | undefined,
  url: string,
  input: { readonly [name: string]: unknown } = {}
) =>
  Effect.scoped(Effect.gen(function*() {
    const options = { name: "notes", config: { url }, cwd: tmpdir(), environment: {}, authorization }
    const { client } = yield* connect(options)
    return yield* Effect.tryPromise({
      try: async () => {
        const { tools } = await client.listTools()
        const { content } = await client.callTool({ name: tools[0]?.name ?? "", arguments: input })
        return JSON.stringify(content)
      },
      catch: (cause) => connectErrorOf(options, {}, cause)
    })
  }))
