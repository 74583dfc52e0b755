import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { connect, type ConnectOptions } from "../../src/mcp/connect.ts"
import type { ServerConfig } from "../../src/mcp/ServerConfig.ts"
import { StdioTransport } from "../../src/mcp/StdioTransport.ts"
import { withFiles } from "../layers/settings/withFiles.ts"
import { isAlive } from "../support/processes.ts"
import { until } from "../support/until.ts"
import { listening, misbehaving, real } from "./servers.ts"

const options = (config: ServerConfig, more: Partial<ConnectOptions> = {}): ConnectOptions => ({
  name: "it",
  config,
  cwd: tmpdir(),
  environment: { PATH: process.env["PATH"] },
  ...more
})

const failing = (config: ServerConfig, more: Partial<ConnectOptions> = {}) =>
  Effect.map(Effect.flip(Effect.scoped(connect(options(config, more)))), (error) => error.message)

const answering = (
  answer: (
    path: string
  ) => { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<{ readonly url: string; readonly close: () => void }>((resolve) => {
        const server = createServer((request, response) => {
          const { body = "", headers = {}, status } = answer(request.url ?? "")
          response.writeHead(status, headers).end(body)
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          resolve({ url: `http://127.0.0.1:${port}/mcp?key=secret`, close: () => void server.close() })
        })
      })
    ),
    ({ close }) => Effect.sync(close)
  )

describe("connect", () => {
  it.live("a program is spoken to over its standard input and output", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client } = yield* connect(options(real("everything")))
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.include(tools.map(({ name }) => name), "echo")
    })))

  it.live("a program gets its own variables over the inherited ones, and starts in its folder", () =>
    Effect.scoped(Effect.gen(function*() {
      const config = { ...misbehaving(), env: { NAME: "own" }, cwd: "." }
      const { client } = yield* connect(options(config, { environment: { ...process.env, NAME: "inherited" } }))
      const call = (name: string, args = {}) =>
        Effect.promise(() => client.callTool({ name, arguments: args }).then(({ content }) => content[0]))
      assert.deepInclude(yield* call("environment", { name: "NAME" }), { text: "own" })
      assert.deepInclude(yield* call("folder"), { text: tmpdir() })
    })))

  it.live("an address is spoken to over HTTP", () =>
    Effect.scoped(Effect.gen(function*() {
      const port = yield* listening("streamableHttp")
      const { client } = yield* connect(options({ url: `http://127.0.0.1:${port}/mcp` }))
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.include(tools.map(({ name }) => name), "echo")
    })))

  it.live("a server that knows only the older transport is spoken to over that one", () =>
    Effect.scoped(Effect.gen(function*() {
      const port = yield* listening("sse")
      for (const type of ["http", "sse"] as const) {
        const { client } = yield* connect(options({ type, url: `http://127.0.0.1:${port}/sse` }))
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.include(tools.map(({ name }) => name), "echo")
      }
    })))

  it.live("with the scope everything that a program started is ended, force being needed or not", () =>
    Effect.gen(function*() {
      for (const words of [["parent"], ["parent", "stubborn"]]) {
        const child = yield* Effect.scoped(Effect.gen(function*() {
          const { client, why } = yield* connect(options(misbehaving(...words)))
          yield* Effect.promise(() => client.listTools())
          const pid = Number(/child (\d+)/.exec(why().stderr ?? "")?.[1])
          assert.isTrue(isAlive(pid))
          return pid
        }))
        assert.isFalse(isAlive(child))
      }
    }))

  it.live("an interrupted start leaves no process", () =>
    withFiles({}, ({ at, has, read }) =>
      Effect.gen(function*() {
        const config = misbehaving("silent", "stubborn", `log=${at("log")}`)
        const starting = yield* Effect.forkChild(Effect.scoped(connect(options(config))))
        yield* until(() => has("log") && read("log").includes("initialize"))
        yield* Fiber.interrupt(starting)
        assert.isFalse(isAlive(Number(read("log").split("\n", 1)[0])))
      })))

  it.live("a program that can't be started says so", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        // On a path of its own: a folder that may not be looked into would hide that there is none.
        yield* failing({ command: "no-such-program-here", env: { PATH: "/usr/bin:/bin" } }),
        "the server `it` could not be connected to: there is no program `no-such-program-here`, or no folder to start it in"
      )
      assert.strictEqual(
        yield* failing({ command: "/" }),
        "the server `it` could not be connected to: `/` may not be run"
      )
    }))

  it.live("a program that ends at once is quoted", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* failing(misbehaving("exits")),
        "the server `it` could not be connected to: its program ended with code 3; its program said: no licence found"
      )
    }))

  it.live("a program that ends says how, whatever is noticed first", () =>
    Effect.gen(function*() {
      const shell = (line: string) => failing({ command: "sh", args: ["-c", `exec 0<&-; echo why >&2; ${line}`] })
      const told = (how: string) => `the server \`it\` could not be connected to: ${how}; its program said: why`
      for (const wait of ["", "sleep 0.02; ", "sleep 0.1; "]) {
        assert.strictEqual(yield* shell(`${wait}exit 3`), told("its program ended with code 3"))
        assert.strictEqual(yield* shell(`${wait}kill -SEGV $$`), told("its program was ended by SIGSEGV"))
      }
    }))

  it.live("a program that lives and reads nothing is ended", () =>
    Effect.gen(function*() {
      const transport = new StdioTransport({
        command: "sh",
        args: ["-c", "exec 0<&-; echo closed >&2; exec sleep 60"],
        cwd: tmpdir(),
        env: { PATH: process.env["PATH"] },
        maxMessageBytes: 1_000
      })
      yield* Effect.promise(() => transport.start())
      yield* until(() => transport.stderr === "closed")
      const refused = yield* Effect.flip(Effect.tryPromise({
        try: () => transport.send({ jsonrpc: "2.0", id: 1, method: "ping" }),
        catch: String
      }))
      assert.strictEqual(refused, "Error: its program reads nothing of what it is sent")
    }))

  it.live("a server that never greets costs the time to connect, and no more", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* failing(misbehaving("silent"), { connectMillis: 1_000 }),
        "the server `it` could not be connected to: it did not answer within 1000 ms"
      )
    }))

  it.live("a server that wants a sign-in is no failed one", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* answering(() => ({ status: 401, headers: { "www-authenticate": "Bearer" } }))
      const error = yield* Effect.flip(Effect.scoped(connect(options({ url }))))
      assert.strictEqual(error._tag, "McpAuthRequired")
      assert.include(error.message, "toolgate mcp login it")
    })))

  it.live("an address that nobody answers at is named without what may be secret", () =>
    Effect.scoped(Effect.gen(function*() {
      const { close, url } = yield* answering(() => ({ status: 200 }))
      close()
      const message = yield* failing({ url })
      assert.match(message, /nothing answers at `http:\/\/127\.0\.0\.1:\d+` \(ECONNREFUSED\)$/)
      assert.strictEqual(
        yield* failing({ url: "nonsense" }),
        "the server `it` could not be connected to: its `url` is no address"
      )
    })))

  it.live("what can't be sent or started is told without what may be secret", () =>
    Effect.gen(function*() {
      const messages = yield* Effect.forEach([
        { url: "http://me:secret@127.0.0.1:9/mcp" },
        { url: "http://127.0.0.1:9/mcp", headers: { "X-Key": "secret\nsecret" } },
        { url: "http://127.0.0.1:9/mcp", headers: { "X-Key": "secret…" } },
        { url: "http://127.0.0.1:9/mcp", headers: { "secret secret": "" } },
        { url: "http://127.0.0.1:9/mcp", headersHelper: "echo '{\"X-Key\":\"secret\\\\nsecret\"}'" },
        { command: "true", args: ["secret\0"] },
        { command: "true", env: { KEY: "secret\0" } }
      ], (config) => failing(config))
      assert.deepStrictEqual(messages.map((message) => message.replace(/^.*?: /, "")), [
        "its `url` holds a name or a password: put what the server wants into `headers`",
        ...[1, 2].map(() =>
          "the value of its header `X-Key` can't be sent: it holds a line break or a letter beyond Latin-1"
        ),
        "one of its headers has a name that can't be sent: it takes letters, digits and `-`",
        "the value of its header `X-Key` can't be sent: it holds a line break or a letter beyond Latin-1",
        ...[1, 2].map(() => "its command, an argument or a variable holds a NUL character")
      ])
    }))

  it.live("a server that answers with an error is told by its status", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* answering(() => ({ status: 503, body: "later" }))
      assert.include(yield* failing({ url }), "it answered with the status 503")
      assert.include(yield* failing({ type: "sse", url }), "it answered with the status 503")
    })))

  it.live("a helper's headers are sent over the configured ones", () =>
    Effect.scoped(Effect.gen(function*() {
      const helper =
        `${process.execPath} -e 'console.log(JSON.stringify({ "x-b": process.env.CLAUDE_CODE_MCP_SERVER_NAME }))'`
      const seen: Array<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          new Promise<ReturnType<typeof createServer>>((resolve) => {
            const made = createServer((request, response) => {
              seen.push(`${request.headers["x-a"]} ${request.headers["x-b"]}`)
              response.writeHead(500).end()
            })
            made.listen(0, "127.0.0.1", () => resolve(made))
          })
        ),
        (made) => Effect.sync(() => made.close())
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const config = { url: `http://127.0.0.1:${port}`, headers: { "x-a": "1", "x-b": "2" }, headersHelper: helper }
      yield* failing(config)
      assert.strictEqual(seen[0], "1 it")
      assert.include(yield* failing({ ...config, headersHelper: "exit 1" }), "its `headersHelper` failed")
      assert.include(yield* failing({ ...config, headersHelper: "\0" }), "its `headersHelper` can't be started")
      assert.include(yield* failing({ ...config, headersHelper: "echo nope" }), "did not print a JSON object of texts")
    })))

  it.live("what a helper started ends with it", () =>
    withFiles({}, ({ at }) =>
      Effect.gen(function*() {
        const file = at("pid")
        const headersHelper = `sleep 600 & echo $! > '${file}'; wait; echo '{}'`
        const connecting = yield* Effect.forkChild(failing({ url: "http://127.0.0.1:9/mcp", headersHelper }))
        yield* until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"))
        yield* Fiber.interrupt(connecting)
        yield* until(() => !isAlive(Number(readFileSync(file, "utf8"))))
      })))
})
