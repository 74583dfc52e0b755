/**
 * The headers that a server is sent with every request.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { endGroup } from "./endGroup.ts"
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
  if (headersHelper === undefined) return yield* sendable(name, headers)
  const env = { ...environment, CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: config.url }
  const fail = (problem: string) => new McpConnectFailed({ server: name, reason: `its \`headersHelper\` ${problem}` })
  const [file, args] = process.platform === "win32"
    ? ["cmd", ["/d", "/s", "/c", headersHelper]] as const
    : ["/bin/sh", ["-c", headersHelper]] as const
  const printed = yield* Effect.callback<string, McpConnectFailed>((resume) => {
    let text = ""
    const started = Result.try(() =>
      spawn(file, [...args], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "ignore"],
        detached: process.platform !== "win32",
        windowsHide: true
      })
    )
    if (Result.isFailure(started)) return resume(fail("can't be started"))
    const child = started.success
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      if (text.length < mostChars) text += piece
    })
    child.once("error", () => resume(fail("can't be started")))
    child.once("exit", (code) => {
      // What it left running may hold the pipe for ever.
      setTimeout(() => child.stdout.destroy(), quietMillis).unref()
      child.once("close", () => resume(code === 0 ? Effect.succeed(text) : fail("failed")))
    })
    return Effect.promise(() => endGroup(child))
  }).pipe(Effect.timeoutOrElse({ duration: helperMillis, orElse: () => fail("took more than 10 s") }))
  const more = yield* Effect.mapError(
    decode(printed),
    // The text itself is not repeated: it is a secret that went wrong.
    () => fail("did not print a JSON object of texts")
  )
  return yield* sendable(name, { ...headers, ...more })
})

/** INVARIANT: whatever can't be sent is found here, since the runtime's own words about it would repeat the value. */
const sendable = Effect.fnUntraced(function*(
  server: string,
  headers: { readonly [name: string]: string }
): Effect.fn.Return<{ readonly [name: string]: string }, McpConnectFailed> {
  for (const [name, value] of Object.entries(headers)) {
    const fits = (one: string, text: string) => Result.isSuccess(Result.try(() => new Headers({ [one]: text })))
    if (fits(name, value)) continue
    const reason = fits(name, "")
      ? `the value of its header \`${name}\` can't be sent: it holds a line break or a letter beyond Latin-1`
      : "one of its headers has a name that can't be sent: it takes letters, digits and `-`"
    return yield* new McpConnectFailed({ server, reason })
  }
  return headers
})

const helperMillis = 10_000
const quietMillis = 300
const mostChars = 1024 * 1024

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
