import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { misbehaving } from "../../mcp/servers.ts"
import { makePlace, type Place, runToolgate } from "../runToolgate.ts"

const withPlace = async (use: (place: Place) => Promise<void>): Promise<void> => {
  const place = makePlace()
  try {
    await use(place)
  } finally {
    place.remove()
  }
}

const configure = (place: Place, servers: object) =>
  writeFileSync(path.join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: servers }))

const enable = (place: Place) => {
  mkdirSync(path.join(place.home, ".claude"), { recursive: true })
  writeFileSync(path.join(place.home, ".claude/settings.json"), "{\"enableAllProjectMcpServers\": true}")
}

describe("toolgate mcp", () => {
  it("lists servers: those of a repository once it is trusted, the others with what is wrong", () =>
    withPlace(async (place) => {
      configure(place, { good: misbehaving(), dead: misbehaving("exits"), wrong: { command: 5 } })
      enable(place)
      const before = await runToolgate(place, ["mcp", "list"])
      assert.strictEqual(before.code, 0)
      assert.include(before.stdout, "good: untrusted (project, .mcp.json)")
      await runToolgate(place, ["trust"])
      const { code, stdout } = await runToolgate(place, ["mcp", "list"])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^good: connected, \d+ tools \(project, \.mcp\.json\)$/m)
      assert.include(
        stdout,
        "dead: failed (project, .mcp.json)\n  its program ended with code 3; its program said: no licence found\n"
      )
      assert.include(stdout, "wrong: broken (project, .mcp.json)\n  `command` is wrong: it should be string\n")
    }))

  it("starts nothing of a server that changed since its folder was trusted, until it is trusted again", () =>
    withPlace(async (place) => {
      const started = path.join(place.cwd, "started")
      const evil = { command: "touch", args: [started] }
      configure(place, { notes: misbehaving() })
      enable(place)
      const call = ["call", "mcp__notes__echo", "{\"text\":\"hello\"}", "--allowed-tools", "mcp__notes"]
      await runToolgate(place, ["trust"])
      assert.strictEqual((await runToolgate(place, call)).stdout, "hello\n")

      configure(place, { notes: evil, other: evil })
      const refused = await runToolgate(place, call)
      assert.strictEqual(refused.code, 2)
      assert.match(
        refused.stderr,
        /server `notes` may not be used: it changed since the folder was trusted, by `command`, `args`: look at it /
      )
      const { stdout } = await runToolgate(place, ["mcp", "list"])
      assert.include(stdout, "notes: changed (project, .mcp.json)\n  it changed since")
      assert.include(stdout, "other: unseen (project, .mcp.json)\n  it was not shown when")
      assert.include((await runToolgate(place, ["mcp", "get", "notes"])).stdout, "\"command\": \"touch\"")
      assert.isFalse(existsSync(started))

      configure(place, { notes: { ...misbehaving(), timeout: 60_000 } })
      assert.include((await runToolgate(place, call)).stderr, "by `timeout`")
      await runToolgate(place, ["trust"])
      assert.strictEqual((await runToolgate(place, call)).stdout, "hello\n")
    }))

  it("lists them for programs, and says so where there are none", () =>
    withPlace(async (place) => {
      assert.include((await runToolgate(place, ["mcp", "list"])).stdout, "There are no MCP servers.")
      const flag = JSON.stringify({ mcpServers: { it: misbehaving() } })
      const { stdout } = await runToolgate(place, ["mcp", "list", "--mcp-config", flag, "--json"])
      const [server] = JSON.parse(stdout).servers
      assert.strictEqual(server.name, "it")
      assert.strictEqual(server.status, "connected")
      assert.isAbove(server.tools, 5)
    }))

  it("shows one with its tools and without its secrets, and knows a near name", () =>
    withPlace(async (place) => {
      const flag = JSON.stringify({ mcpServers: { notes: { ...misbehaving(), env: { KEY: "sk-1" } } } })
      const { code, stdout } = await runToolgate(place, ["mcp", "get", "notes", "--mcp-config", flag])
      assert.strictEqual(code, 0)
      assert.include(stdout, "mcp__notes__echo")
      assert.include(stdout, "\"KEY\": \"***\"")
      assert.notInclude(stdout, "sk-1")
      const wrong = await runToolgate(place, ["mcp", "get", "note", "--mcp-config", flag])
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stderr, "`notes` was probably meant")
    }))

  it("`tools` and `call` know their tools", () =>
    withPlace(async (place) => {
      const flag = ["--mcp-config", JSON.stringify({ mcpServers: { it: misbehaving(), dead: misbehaving("exits") } })]
      const tools = await runToolgate(place, ["tools", ...flag])
      assert.include(tools.stdout, "mcp__it__echo")
      assert.include(tools.stdout, "Read")
      assert.include(tools.stderr, "the MCP server `dead` is missing (failed)")
      const call = ["call", "mcp__it__echo", "{\"text\": \"hello\"}", ...flag]
      const denied = await runToolgate(place, [...call, "--ask", "deny"])
      assert.strictEqual(denied.code, 3)
      const done = await runToolgate(place, [...call, "--allowed-tools", "mcp__it"])
      assert.strictEqual(done.stdout, "hello\n")
      assert.strictEqual(done.code, 0)
    }))

  it("nothing of it is loaded before one of their tools is wanted", () =>
    withPlace(async (place) => {
      writeFileSync(path.join(place.cwd, "a.txt"), "text")
      const list = path.join(place.cwd, "loaded")
      const hook = `
        import { appendFileSync } from "node:fs"
        import { registerHooks } from "node:module"
        registerHooks({ load: (url, context, next) => (appendFileSync(${
        JSON.stringify(list)
      }, url + "\\n"), next(url, context)) })
      `
      const loaded = async (...args: ReadonlyArray<string>) => {
        writeFileSync(list, "")
        const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
        assert.strictEqual((await runToolgate(place, args, { env })).code, 0)
        return readFileSync(list, "utf8").split("\n").filter((url) =>
          /modelcontextprotocol|\/src\/mcp|\/layers\/(mcp\/|McpConfig|McpApprovals)/.test(url)
        )
      }
      const flag = ["--mcp-config", JSON.stringify({ mcpServers: { it: misbehaving() } })]
      assert.deepStrictEqual(
        await loaded("call", "Read", JSON.stringify({ file_path: path.join(place.cwd, "a.txt") })),
        []
      )
      assert.isNotEmpty(
        await loaded("call", "mcp__it__echo", "{\"text\": \"hello\"}", ...flag, "--allowed-tools", "mcp__it")
      )
    }))
})
