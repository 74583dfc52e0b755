/**
 * The headers that a server is sent with every request.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execFile } from "node:child_process"
import { McpConnectFailed } from "./McpConnectError.ts"
import type { RemoteServer } from "./ServerConfig.ts"

/**
 * The configured headers, and over them those that the helper prints.
 *
 * @category getters
 * @since 0.1.0
 */
export const headersOf = Effect.fnUntraced(function*(
  { cwd, environment, name }: {
    readonly name: string
    readonly cwd: string
    readonly environment: { readonly [name: string]: string | undefined }
  },
  config: RemoteServer
): Effect.fn.Return<{ readonly [name: string]: string }, McpConnectFailed> {
  const { headers = {}, headersHelper } = config
  if (headersHelper === undefined) return headers
  const env = { ...environment, CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: config.url }
  const fail = (problem: string) => new McpConnectFailed({ server: name, reason: `its \`headersHelper\` ${problem}` })
  const printed = yield* Effect.callback<string, McpConnectFailed>((resume, signal) => {
    const shell = process.platform === "win32" ? ["cmd", "/d", "/s", "/c"] as const : ["/bin/sh", "-c"] as const
    execFile(
      shell[0],
      [...shell.slice(1), headersHelper],
      { cwd, env, signal, timeout: helperMillis, maxBuffer: 1024 * 1024, windowsHide: true },
      (error, stdout) =>
        resume(error === null ? Effect.succeed(stdout) : Effect.fail(fail("failed, or took more than 10 s")))
    )
  })
  const more = yield* Effect.mapError(
    decode(printed),
    // The text itself is not repeated: it is a secret that went wrong.
    () => fail("did not print a JSON object of texts")
  )
  return { ...headers, ...more }
})

const helperMillis = 10_000

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
