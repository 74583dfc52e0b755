/**
 * Connects to one MCP server, through the official client.
 *
 * @since 0.1.0
 */
import {
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  isJSONRPCResponse,
  ProtocolError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport
} from "@modelcontextprotocol/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { answerBroken, broken } from "./answerBroken.ts"
import { boundedFetch } from "./boundedFetch.ts"
import { connectErrorOf, statusOf } from "./connectErrorOf.ts"
import { headersOf } from "./headersOf.ts"
import { type McpConnectError, McpConnectFailed } from "./McpConnectError.ts"
import type { Authorization } from "./oauth/Authorization.ts"
import { schemaValidator } from "./schemaValidator.ts"
import { isStdio, type RemoteServer, type ServerConfig } from "./ServerConfig.ts"
import { StdioTransport } from "./StdioTransport.ts"
import { usableTools } from "./usableTools.ts"

/**
 * Which server, and what it may expect of us.
 *
 * **Details**
 *
 * - `config`: with its variables expanded.
 * - `cwd`: the project's folder, the one root that the server hears of.
 * - `environment`: what a program inherits beside its own variables.
 * - `connectMillis`: how long connecting may take, sign-in apart (30,000).
 * - `authorization`: what authorizes requests to a server that wants it.
 * - `elicit`: answers what the server asks the person; declined when left out.
 * - `toolsChanged`: run when the server says that its tools are others now.
 *
 * @category options
 * @since 0.1.0
 */
export interface ConnectOptions {
  readonly name: string
  readonly config: ServerConfig
  readonly cwd: string
  readonly environment: { readonly [name: string]: string | undefined }
  readonly connectMillis?: number
  readonly authorization?: Pick<Authorization, "authProvider" | "fetch"> | undefined
  readonly elicit?: (request: ElicitRequestParams) => Effect.Effect<ElicitResult>
  readonly toolsChanged?: Effect.Effect<void>
}

/**
 * A server that is connected to.
 *
 * **Details**
 *
 * - `closed`: waits until the connection ends, and says why.
 * - `why`: why the connection ended and what the program said last, so far as is
 *   known.
 * - `leftOut`: what the last list of tools held that is no tool, and why.
 *
 * @category models
 * @since 0.1.0
 */
export interface Connection {
  readonly client: Client
  readonly closed: Effect.Effect<string>
  readonly why: () => { readonly reason: string | undefined; readonly stderr: string | undefined }
  readonly leftOut: () => ReadonlyArray<string>
}

/**
 * How long a message of a server may be, in bytes.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxMessageBytes = 32 * 1024 * 1024

/**
 * Connects to a server for as long as the scope is open. With the scope the
 * connection is closed, and a program is ended with all that it started.
 *
 * @category connecting
 * @since 0.1.0
 */
export const connect = Effect.fn("mcp.connect")(function*(
  options: ConnectOptions
): Effect.fn.Return<Connection, McpConnectError, Scope.Scope> {
  const { config, connectMillis = 30_000 } = options
  if (isStdio(config)) {
    const program = {
      command: config.command,
      args: config.args ?? [],
      cwd: resolve(options.cwd, config.cwd ?? "."),
      env: { ...options.environment, ...config.env },
      maxMessageBytes
    }
    const start = (mode: "legacy" | "auto") => attempt(options, new StdioTransport(program), mode, connectMillis)
    // A server of the newest kind answers the older greeting with an error. Asking the other way round would start
    // every other server twice.
    return yield* Effect.catchIf(
      start("legacy"),
      (error) => error.cause instanceof ProtocolError,
      () => start("auto")
    ).pipe(Effect.mapError((error) => error.typed))
  }
  const { requestInit, url } = yield* remote(options, config)
  const line: Line = { reason: undefined, cut: () => {} }
  const bounded = boundedFetch(maxMessageBytes, (reason) => {
    line.reason = reason
    line.cut()
  })
  const shared = {
    requestInit,
    fetch: options.authorization?.fetch(bounded) ?? bounded,
    ...(options.authorization === undefined ? {} : { authProvider: options.authorization.authProvider })
  }
  const overSse = attempt(options, new SSEClientTransport(url, shared), "legacy", connectMillis, line)
  if (config.type === "sse") return yield* Effect.mapError(overSse, (error) => error.typed)
  const overHttp = attempt(options, new StreamableHTTPClientTransport(url, shared), "auto", connectMillis, line)
  return yield* Effect.catchIf(
    overHttp,
    // What the protocol says of servers that know only the older transport.
    (error) => [400, 404, 405].includes(statusOf(error.cause) ?? 0),
    (error) => Effect.mapError(overSse, () => error)
  ).pipe(Effect.mapError((error) => error.typed))
})

/** Who waits for an answer that can't come hears of it by the end of the connection: a stream would be waited for. */
interface Line {
  reason: string | undefined
  cut: () => void
}

interface Failed {
  readonly cause: unknown
  readonly typed: McpConnectError
}

const attempt = Effect.fnUntraced(function*(
  options: ConnectOptions,
  transport: Transport,
  mode: "legacy" | "auto",
  connectMillis: number,
  line?: Line
): Effect.fn.Return<Connection, Failed, Scope.Scope> {
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const closed = Deferred.makeUnsafe<string>()
  const client = new Client(clientInfo, {
    capabilities: { elicitation: { form: { applyDefaults: true }, url: {} }, roots: {} },
    versionNegotiation: { mode },
    jsonSchemaValidator: schemaValidator,
    listChanged: {
      tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void run(options.toolsChanged ?? Effect.void) }
    }
  })
  client.setRequestHandler("roots/list", () => ({
    roots: [{ uri: pathToFileURL(options.cwd).href, name: basename(options.cwd) }]
  }))
  client.setRequestHandler(
    "elicitation/create",
    ({ params }, { mcpReq }) =>
      options.elicit === undefined ? { action: "decline" } : run(options.elicit(params), { signal: mcpReq.signal })
  )

  const why = () => ({
    reason: transport instanceof StdioTransport ? transport.ended : line?.reason,
    stderr: transport instanceof StdioTransport && transport.stderr !== "" ? transport.stderr : undefined
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client has this one place for a listener
  client.onclose = () => Deferred.doneUnsafe(closed, Effect.succeed(why().reason ?? "the connection ended"))

  const fail = (cause: unknown): Failed => ({ cause, typed: connectErrorOf(options, why(), cause) })
  const close = Effect.promise(() => closeAll(client, transport))
  yield* Effect.addFinalizer(() => close)
  answerBroken(transport)
  yield* Effect.tryPromise({
    try: (signal) => client.connect(transport, { signal, timeout: connectMillis }),
    catch: fail
  }).pipe(
    Effect.timeoutOrElse({
      duration: connectMillis,
      orElse: () => Effect.fail(fail(new Error(`it did not answer within ${connectMillis} ms`)))
    }),
    Effect.onError(() => close)
  )
  const leftOut = usableTools(transport)
  answerLast(transport)
  if (line !== undefined) line.cut = () => void client.close()
  if (line !== undefined && transport instanceof SSEClientTransport) {
    const { onerror } = transport
    // What was asked over one stream of events is never answered over the next.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this one place for a listener
    transport.onerror = (error) => {
      onerror?.(error)
      if (!(error instanceof SseError)) return
      line.reason ??= broken
      line.cut()
    }
  }
  return { client, closed: Deferred.await(closed), why, leftOut }
})

/**
 * Hands an answer on a moment after it came. The client takes notifications a moment later than answers, and would drop
 * the progress that came just before one.
 */
const answerLast = (transport: Transport): void => {
  const { onmessage } = transport
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this one place for a listener
  transport.onmessage = (message, extra) => {
    if (isJSONRPCResponse(message)) setImmediate(() => onmessage?.(message, extra))
    else onmessage?.(message, extra)
  }
}

const clientInfo = {
  name: "toolgate",
  // Both `src` and `dist` lie beside the package's own description.
  version: String(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version)
}

const remote = Effect.fnUntraced(function*(options: ConnectOptions, config: RemoteServer) {
  const url = URL.parse(config.url)
  if (url === null) return yield* new McpConnectFailed({ server: options.name, reason: "its `url` is no address" })
  // Nobody would send them, and what is said of that would repeat them.
  if (url.username !== "" || url.password !== "") {
    const reason = "its `url` holds a name or a password: put what the server wants into `headers`"
    return yield* new McpConnectFailed({ server: options.name, reason })
  }
  const headers = yield* headersOf(options, config)
  return { url, requestInit: { headers: { "User-Agent": `toolgate/${clientInfo.version}`, ...headers } } }
})

const farewellMillis = 1_000

/** Says goodbye to a server that keeps sessions, and doesn't wait long for its answer. */
const closeAll = async (client: Client, transport: Transport): Promise<void> => {
  if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, farewellMillis).unref())
    ])
  }
  await client.close().catch(() => {})
  await transport.close().catch(() => {})
}
