import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe.concurrent("toolgate hook", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, ".claude"))
    mkdirSync(path.join(place.cwd, "sub"))
    const settings = path.join(place.cwd, ".claude", "settings.json")
    writeFileSync(settings, JSON.stringify({ permissions: { deny: ["Bash(touch *)"] } }))
  })
  afterAll(() => place.remove())

  it("writes its decision, for the project that the environment names", async () => {
    const stdin = JSON.stringify({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch x" },
      cwd: path.join(place.cwd, "sub")
    })
    const { code, stderr, stdout } = await runToolgate(place, ["hook"], {
      stdin,
      env: { CLAUDE_PROJECT_DIR: place.cwd }
    })
    assert.deepStrictEqual([code, stderr], [0, ""])
    const { hookSpecificOutput } = JSON.parse(stdout)
    assert.deepStrictEqual([hookSpecificOutput.hookEventName, hookSpecificOutput.permissionDecision], [
      "PreToolUse",
      "deny"
    ])
  })

  it("starts no server for a server's tool, nor for one that is not here", async () => {
    const started = path.join(place.home, "started")
    const server = { command: "touch", args: [started] }
    writeFileSync(path.join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { x: server } }))
    const settings = path.join(place.cwd, ".claude", "settings.local.json")
    writeFileSync(settings, "{\"enableAllProjectMcpServers\":true}")
    assert.strictEqual((await runToolgate(place, ["trust"])).code, 0)
    for (const tool_name of ["mcp__x__y", "Skill"]) {
      const stdin = JSON.stringify({ hook_event_name: "PreToolUse", tool_name, tool_input: {}, cwd: place.cwd })
      assert.deepStrictEqual(await runToolgate(place, ["hook"], { stdin }), { code: 0, stdout: "{}\n", stderr: "" })
    }
    assert.isFalse(existsSync(started))
  })

  it.each([
    ["", "toolgate: the hook's input is empty, JSON is expected\n"],
    ["[]", "toolgate: what a hook reads is an object\n"]
  ])("blocks with one line where it can't decide: %j", async (stdin, stderr) => {
    assert.deepStrictEqual(await runToolgate(place, ["hook"], { stdin }), { code: 2, stdout: "", stderr })
  })
})
