/**
 * Servers to test with: one that misbehaves on request, and real ones.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import type { StdioServer } from "../../src/mcp/ServerConfig.ts"

/** The server of `test/fixtures/mcp`. */
export const misbehaving = (...words: ReadonlyArray<string>): StdioServer => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("../fixtures/mcp/server.ts", import.meta.url)), ...words]
})

/** One of the protocol's own example servers. */
export const real = (name: "everything" | "filesystem" | "memory", ...args: ReadonlyArray<string>): StdioServer => ({
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args]
})

/**
 * A port that nobody listens on. None of those that the kernel gives to whoever asks for any, a test beside this one say:
 * it will still be free when a server that was told of it has started.
 */
export const freePort: Effect.Effect<number> = Effect.suspend(() => {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  return Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  }).pipe(Effect.flatMap((free) => free ? Effect.succeed(port) : freePort))
})

/** Starts the example server on loopback, and gives its port. */
export const listening = Effect.fnUntraced(function*(
  transport: "streamableHttp" | "sse"
): Effect.fn.Return<number, never, Scope.Scope> {
  const port = yield* freePort
  const { args = [], command } = real("everything", transport)
  yield* started(command, args, { PORT: String(port) }, /listening|running/i)
  return port
})

/** Starts a program, and waits until it says that it is ready. */
export const started = Effect.fnUntraced(function*(
  command: string,
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  ready: RegExp
): Effect.fn.Return<void, never, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })),
    (started) =>
      Effect.promise(() =>
        new Promise((resolve) => {
          started.once("exit", resolve)
          if (!started.kill("SIGKILL")) resolve(undefined)
        })
      )
  )
  yield* Effect.promise(() =>
    new Promise<void>((resolve, reject) => {
      let said = ""
      const listen = (chunk: Buffer) => {
        said += chunk.toString()
        if (ready.test(said)) resolve()
      }
      child.stdout.on("data", listen)
      child.stderr.on("data", listen)
      child.once("exit", () => reject(new Error(`the server ended: ${said}`)))
    })
  )
})
