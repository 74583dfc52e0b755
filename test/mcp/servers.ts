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

/** A port that nobody listened on a moment ago. */
export const freePort = Effect.promise(() =>
  new Promise<number>((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
)

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

/** Whether a process is there. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits for something that happens in another process. */
export const until = (happened: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => happened() ? Effect.void : Effect.andThen(Effect.sleep(20), until(happened)))
