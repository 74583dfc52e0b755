/**
 * Signs out of an MCP server for `toolgate mcp logout`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SignedOut } from "../../domain/McpSignIn.ts"
import { McpServers } from "../../services/McpServers.ts"
import { Ended } from "../Ended.ts"
import { gate } from "../gate.ts"
import { line, oneLine } from "../line.ts"
import { type McpLogoutOutput, version } from "../Output.ts"
import type { Shared } from "../root.ts"
import * as Surroundings from "../Surroundings.ts"
import * as write from "../write.ts"
import { knownServer } from "./knownServer.ts"

/**
 * Ends every sign-in to servers of a name, whether they are still configured or
 * not.
 *
 * @category commands
 * @since 0.1.0
 */
export const logOut = Effect.fn("cli.mcp.logout")(function*(name: string, shared: Shared) {
  const layer = yield* gate(shared)
  yield* Effect.gen(function*() {
    const { signOut } = yield* McpServers
    const ended = yield* signOut(name)
    // Where nothing was kept, a name that no server has was misspelt.
    if (ended.length === 0) yield* knownServer(name)
    const output: McpLogoutOutput = { version, server: name, ended }
    yield* Surroundings.form(shared) === "text" ? write.out(textOf(oneLine(name), ended)) : write.json(output)
    const problems = ended.flatMap(({ problem, url }) => problem === undefined ? [] : [{ problem, url }])
    for (const { problem, url } of problems) {
      yield* write.err(line(`the tokens for \`${url}\` are deleted here, but may count on: ${problem}`))
    }
    if (problems.length > 0) return yield* new Ended({ code: 1 })
  }).pipe(
    Effect.catchTag(
      "StoreFailed",
      (error) => Effect.andThen(write.err(line(error.message)), Effect.fail(new Ended({ code: 1 })))
    ),
    Effect.provide(layer)
  )
})

const textOf = (name: string, ended: ReadonlyArray<SignedOut>): string =>
  ended.length === 0
    ? `You were not signed in to ${name}.\n`
    : ended.map(({ revoked, url }) =>
      `You are signed out of ${name} (${oneLine(url)}): its tokens are ${revoked ? "taken back and " : ""}deleted.\n`
    ).join("")
