import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createConnection, createServer, type Socket } from "node:net"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { ServeReply } from "../../src/cli/Serving.ts"
import { main, makePlace, type Place, runToolgate } from "./runToolgate.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ServeReply))
const client = fileURLToPath(new URL("../../src/cli/client.ts", import.meta.url))

interface Server {
  readonly stop: (signal: NodeJS.Signals) => void
  readonly ended: Promise<readonly [code: number | null, stderr: string]>
}

interface Talk {
  readonly socket: Socket
  readonly next: () => Promise<ServeReply>
  readonly closed: Promise<void>
}

describe("toolgate serve", () => {
  let place: Place
  let file: string
  let servers: Array<Server>
  beforeEach(() => {
    place = makePlace()
    file = path.join(place.home, "run", "t.sock")
    servers = []
  })
  afterEach(async () => {
    for (const { ended, stop } of servers) {
      stop("SIGKILL")
      await ended
    }
    place.remove()
  })

  const start = (args: ReadonlyArray<string> = []): Promise<Server> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [main, "serve", "--socket", file, ...args], {
        cwd: place.cwd,
        env: place.env,
        detached: true,
        stdio: ["ignore", "ignore", "pipe"]
      })
      let stderr = ""
      const ended = new Promise<readonly [number | null, string]>((done) =>
        child.on("close", (code) => {
          done([code, stderr])
          reject(new Error(stderr))
        })
      )
      const server = { stop: (signal: NodeJS.Signals) => void child.kill(signal), ended }
      servers.push(server)
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
        if (stderr.includes("listening on")) resolve(server)
      })
    })

  const connect = (): Promise<Talk> =>
    new Promise((resolve, reject) => {
      const socket = createConnection(file)
      const waiting: Array<(reply: ServeReply) => void> = []
      const came: Array<ServeReply> = []
      let rest = ""
      socket.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) {
          const reply = decode(line)
          const first = waiting.shift()
          if (first === undefined) came.push(reply)
          else first(reply)
        }
      })
      const closed = new Promise<void>((done) => socket.on("close", () => done()))
      socket.on("error", reject).on("connect", () =>
        resolve({
          socket,
          closed,
          next: () => {
            const first = came.shift()
            return first === undefined ? new Promise((then) => waiting.push(then)) : Promise.resolve(first)
          }
        }))
    })

  const question = (id: number | string, command: string, more: object = {}): string =>
    `${JSON.stringify({ id, check: { tool: "Bash", input: { command }, ...more } })}\n`
  const verdict = (reply: ServeReply): unknown => "decision" in reply ? [reply.id, reply.decision.verdict] : reply
  const ask = async (talk: Talk, line: string): Promise<unknown> => {
    talk.socket.write(line)
    return verdict(await talk.next())
  }

  it("answers many clients at once, each in the order of its questions", async () => {
    await start(["--disallowed-tools", "Bash(curl *)"])
    await Promise.all(Array.from({ length: 20 }, async (_, client) => {
      const talk = await connect()
      const ids = Array.from({ length: 10 }, (_, at) => `${client}-${at}`)
      talk.socket.write(ids.map((id, at) => question(id, ["ls", "curl x", "touch x"][at % 3] ?? "")).join(""))
      for (const [at, id] of ids.entries()) {
        assert.deepStrictEqual(verdict(await talk.next()), [id, ["allow", "deny", "ask"][at % 3]])
      }
      talk.socket.end()
      await talk.closed
    }))
  })

  it("answers what a client asked before it closed its side", async () => {
    await start()
    const talk = await connect()
    talk.socket.end(question(1, "ls") + question(2, "ls").trimEnd())
    assert.deepStrictEqual(verdict(await talk.next()), [1, "allow"])
    assert.deepStrictEqual(verdict(await talk.next()), [2, "allow"])
    await talk.closed
    const half = await connect()
    half.socket.end(question(3, "ls").slice(0, 20))
    assert.include(JSON.stringify(await half.next()), "the line is not JSON")
    await half.closed
  })

  it("decides in the folder, session and mode of the question, and answers hooks as hooks", async () => {
    await start()
    const talk = await connect()
    const other = path.join(place.home, "other")
    mkdirSync(path.join(other, ".claude"), { recursive: true })
    writeFileSync(path.join(other, ".claude", "settings.json"), "{\"permissions\":{\"deny\":[\"Bash(ls *)\"]}}")
    assert.deepStrictEqual(await ask(talk, question(1, "ls -a")), [1, "allow"])
    assert.deepStrictEqual(await ask(talk, question(2, "ls -a", { cwd: other })), [2, "deny"])
    assert.deepStrictEqual(await ask(talk, question(3, "touch x", { mode: "acceptEdits" })), [3, "allow"])
    const hook = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls -a" }, cwd: place.cwd }
    assert.deepStrictEqual(await ask(talk, `${JSON.stringify({ id: 4, hook })}\n`), {
      version: 1,
      id: 4,
      hook: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          permissionDecisionReason: "toolgate: it only reads"
        }
      }
    })
    const reply = await ask(talk, `${JSON.stringify({ id: 5, hook, project: other })}\n`)
    assert.include(JSON.stringify(reply), "\"permissionDecision\":\"deny\"")
  })

  it("says what is wrong with a line, and goes on", async () => {
    await start()
    const talk = await connect()
    const wrong = async (line: string | Uint8Array, id: ServeReply["id"], error: string) => {
      talk.socket.write(line)
      const reply = await talk.next()
      assert.strictEqual(reply.id, id)
      assert.include("error" in reply ? reply.error : "", error)
    }
    await wrong("garbage\n", null, "the line is not JSON, line 1, column 1")
    await wrong("[]\n", null, "expected an object")
    await wrong("{\"id\":\"a\"}\n", "a", "a question has either `check` or `hook`")
    await wrong("{\"id\":\"b\",\"check\":{\"tool\":5}}\n", "b", "`check.tool`")
    await wrong("{\"id\":1,\"check\":{\"tool\":\"Nope\",\"input\":{}}}\n", 1, "no tool is named `Nope`")
    await wrong("{\"id\":2,\"hook\":{}}\n", 2, "the hook's input can't be read")
    await wrong(question(3, "ls", { cwd: "src" }), 3, "`src` has to be an absolute path")
    await wrong(question(3, "ls", { cwd: process.execPath }), 3, "is no folder")
    await wrong(Uint8Array.of(0xff, 0xfe, 10), null, "the line is not UTF-8 text")
    await wrong(`${"[".repeat(100_000)}\n`, null, "the line")
    await wrong(`"${"x".repeat(11_000_000)}"\n`, null, "a line is longer than 10 MB")
    assert.deepStrictEqual(await ask(talk, question(4, "ls")), [4, "allow"])
  })

  it("waits for a client that does not read, and serves the others", async () => {
    const server = await start()
    const talk = await connect()
    talk.socket.pause()
    let accepted = 0
    // Until the server reads no more, which is when its answers are not taken.
    await new Promise<void>((resolve) => {
      const more = (): void => {
        accepted += 1
        if (accepted === 200_000) resolve()
        else if (talk.socket.write(question(accepted, "ls", { text: true }))) setImmediate(more)
        else {
          const idle = setTimeout(resolve, 3_000)
          talk.socket.once("drain", () => {
            clearTimeout(idle)
            more()
          })
        }
      }
      more()
    })
    assert.isBelow(accepted, 200_000)
    assert.deepStrictEqual(await ask(await connect(), question("other", "ls")), ["other", "allow"])
    server.stop("SIGTERM")
    assert.strictEqual((await server.ended)[0], 0)
    talk.socket.destroy()
  })

  it("survives clients that go away in the middle", async () => {
    await start()
    for (let round = 0; round < 20; round++) {
      const talk = await connect()
      talk.socket.write(question(round, "ls").repeat(50) + "{\"id\":")
      talk.socket.destroy()
    }
    assert.deepStrictEqual(await ask(await connect(), question("last", "ls")), ["last", "allow"])
  })

  it("goes by the settings of the moment", async () => {
    await start()
    const talk = await connect()
    assert.deepStrictEqual(await ask(talk, question(1, "ls -a")), [1, "allow"])
    mkdirSync(path.join(place.cwd, ".claude"))
    const settings = path.join(place.cwd, ".claude", "settings.json")
    writeFileSync(settings, "{\"permissions\":{\"deny\":[\"Bash(ls *)\"]}}")
    assert.deepStrictEqual(await ask(talk, question(2, "ls -a")), [2, "deny"])
    writeFileSync(settings, "{\"permissions\":{\"ask\":[\"Bash(ls *)\"]}}")
    assert.deepStrictEqual(await ask(talk, question(3, "ls -a")), [3, "ask"])
  })

  it("told to stop, answers what was asked, ends with 0 and takes its socket away", async () => {
    const server = await start()
    const [busy, idle] = [await connect(), await connect()]
    assert.deepStrictEqual(await ask(idle, question(0, "ls")), [0, "allow"])
    busy.socket.write(question(1, "ls").repeat(100))
    assert.deepStrictEqual(verdict(await busy.next()), [1, "allow"])
    server.stop("SIGTERM")
    const [code, stderr] = await server.ended
    assert.deepStrictEqual([code, stderr], [0, `toolgate: listening on \`${file}\`\n`])
    await Promise.all([busy.closed, idle.closed])
    assert.deepStrictEqual(readdirSync(path.dirname(file)), [])
  })

  it("takes the place of a server that was killed", async () => {
    const first = await start()
    first.stop("SIGKILL")
    await first.ended
    assert.isTrue(existsSync(file))
    await start()
    assert.deepStrictEqual(await ask(await connect(), question(1, "ls")), [1, "allow"])
  })

  describe("with its client", () => {
    const run = (args: ReadonlyArray<string>, stdin = "", env: Record<string, string> = {}) =>
      runToolgate(place, ["--socket", file, ...args], { stdin, env, program: client })
    const input = JSON.stringify({ command: "ls -a" })
    const hookInput = () =>
      JSON.stringify({
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "touch x" },
        cwd: path.join(place.cwd, "sub")
      })

    it("checks with the output and exit codes of `toolgate check`", async () => {
      await start(["--disallowed-tools", "Bash(curl *)"])
      const flags = ["--disallowed-tools", "Bash(curl *)"]
      for (const args of [["touch x"], ["curl x", "--json"]]) {
        const whole = ["check", "Bash", JSON.stringify({ command: args[0] }), ...args.slice(1)]
        assert.deepStrictEqual(await run(whole), await runToolgate(place, [...whole, ...flags]))
      }
      assert.strictEqual((await run(["check", "Bash", "-"], input)).code, 0)
      const unknown = await run(["check", "Nope", "{}"])
      assert.deepStrictEqual([unknown.code, unknown.stderr], [2, "toolgate: no tool is named `Nope`\n"])
    })

    it("is a hook, for the project that the environment names", async () => {
      await start()
      mkdirSync(path.join(place.cwd, "sub"))
      mkdirSync(path.join(place.cwd, ".claude"))
      writeFileSync(
        path.join(place.cwd, ".claude", "settings.json"),
        "{\"permissions\":{\"deny\":[\"Bash(touch *)\"]}}"
      )
      const asked = await run(["hook"], hookInput())
      assert.include(asked.stdout, "\"permissionDecision\":\"ask\"")
      const denied = await run(["hook"], hookInput(), { CLAUDE_PROJECT_DIR: place.cwd })
      assert.include(denied.stdout, "\"permissionDecision\":\"deny\"")
      assert.deepStrictEqual([denied.code, denied.stderr], [0, ""])
    })

    it("allows nothing where no server answers", async () => {
      const problem = `no server answers on \`${file}\`, start \`toolgate serve\``
      const reply = {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: `toolgate: ${problem}`
        }
      }
      const there = { code: 0, stdout: `${JSON.stringify(reply)}\n`, stderr: `toolgate: ${problem}\n` }
      assert.deepStrictEqual(await run(["hook"], hookInput()), there)
      mkdirSync(path.dirname(file), { mode: 0o700 })
      assert.deepStrictEqual(await run(["hook"], hookInput()), there)
      assert.deepStrictEqual(await run(["check", "Bash", input]), {
        code: 69,
        stdout: "",
        stderr: `toolgate: ${problem}\n`
      })
    })

    it("asks where the server hangs up, or where others could have put it", async () => {
      mkdirSync(path.dirname(file), { mode: 0o700 })
      const rude = createServer((socket) => socket.resume().end("{\"id\":1"))
      await new Promise<void>((resolve) => rude.listen(file, resolve))
      assert.include((await run(["hook"], hookInput())).stdout, "no server answers")
      chmodSync(path.dirname(file), 0o777)
      const shared = await run(["hook"], hookInput())
      assert.include(shared.stdout, "\"permissionDecision\":\"ask\"")
      assert.include(shared.stderr, "which others may write to")
      await new Promise((resolve) => rude.close(resolve))
    })

    it("blocks where it is used or fed wrongly", async () => {
      for (const args of [[], ["hook", "more"], ["check", "Bash"], ["check", "Bash", input, "--text"], ["--socket"]]) {
        assert.strictEqual((await run(args)).code, 2, args.join(" "))
      }
      assert.deepStrictEqual(await run(["hook"], "{"), {
        code: 2,
        stdout: "",
        stderr: "toolgate: the hook's input is not JSON\n"
      })
    })
  })
})
