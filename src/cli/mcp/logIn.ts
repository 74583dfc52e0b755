/**
 * Signs in to an MCP server for `toolgate mcp login`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { openBrowser } from "../../layers/openBrowser.ts"
import { McpServers } from "../../services/McpServers.ts"
import { Ended } from "../Ended.ts"
import { gate } from "../gate.ts"
import { line, oneLine } from "../line.ts"
import { type McpLoginOutput, version } from "../Output.ts"
import type { Shared } from "../root.ts"
import * as Surroundings from "../Surroundings.ts"
import * as write from "../write.ts"
import { knownServer } from "./knownServer.ts"

/**
 * What was given on the command line.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoginGiven {
  readonly name: string
  readonly browser: boolean
}

/**
 * Takes the person through a sign-in, and says how it ended.
 *
 * @category commands
 * @since 0.1.0
 */
export const logIn = Effect.fn("cli.mcp.login")(function*({ browser, name }: LoginGiven, shared: Shared) {
  const layer = yield* gate(shared)
  yield* Effect.gen(function*() {
    yield* knownServer(name)
    const { signIn } = yield* McpServers
    const status = yield* signIn(name, (url) =>
      write.err(
        `Sign in to ${oneLine(name)} at this address, in a browser of this machine:\n\n  ${url}\n\n` +
          "Waiting for you to come back; Ctrl-C gives up.\n"
      ).pipe(Effect.andThen(browser ? openBrowser(url) : Effect.void), Effect.as(true)))
    const output: McpLoginOutput = { version, server: name, status }
    yield* Surroundings.form(shared) === "text"
      ? write.out(`${texts[status](oneLine(name))}\n`)
      : write.json(output)
  }).pipe(
    Effect.catchTag(
      ["SignInFailed", "StoreFailed"],
      (error) => Effect.andThen(write.err(line(error.message)), Effect.fail(new Ended({ code: 1 })))
    ),
    Effect.provide(layer)
  )
})

const texts: { readonly [status in McpLoginOutput["status"]]: (name: string) => string } = {
  "signed-in": (name) => `You are signed in to ${name}.`,
  "already-signed-in": (name) => `You were signed in to ${name} before; \`toolgate mcp logout\` ends that.`,
  "not-needed": (name) => `${name} wants nobody to sign in.`
}
