import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gated } from "../mcp/gated.ts"
import { misbehaving } from "../mcp/servers.ts"

describe("REPL and the tools of a server", () => {
  it.live("code calls them, each call is decided for itself, and the server hears of none that was denied", () =>
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "toolgate-repl-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      const log = join(folder, "log")
      const code = `
        const said = []
        const tried = async (name, input) => {
          try { said.push(await tools[name](input)) } catch (error) { said.push("refused: " + error.message) }
        }
        await Promise.all(["one", "two"].map((text) => tried("mcp__it__echo", { text })))
        await tried("mcp__it__structured", {})
        await tried("mcp__it__fail", {})
        await tried("mcp__it__look", {})
        await tried("mcp__it__die", {})
        await tried("mcp__it__echo", { text: "again" })
        said.join("\\n")`
      const all = yield* gated({ it: misbehaving(`log=${log}`) }, ({ events }) => events("REPL", { code }), {
        allowedTools: ["echo", "structured", "fail", "die"].map((tool) => `mcp__it__${tool}`)
      })

      const ended = all.at(-1)
      assert.deepStrictEqual(
        ended?._tag === "Finished" && typeof ended.result.content === "string" ? ended.result.content.split("\n") : [],
        [
          "one",
          "two",
          "{\"celsius\":21}",
          "refused: the call to the server `it` failed: the disk is on fire",
          "refused: This use of mcp__it__look needs a person's permission and nobody could be asked. Go on without it, or stop and say that it needs to be allowed.",
          "refused: the call to the server `it` failed: its program ended with code 7; its program said: out of luck",
          "again"
        ]
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "Decided").length, 8)
      const heard = existsSync(log)
        ? readFileSync(log, "utf8").split("\n").filter((line) => line.includes("tools/call"))
        : []
      assert.deepStrictEqual(
        heard.map((line) => JSON.parse(line).params.name),
        ["echo", "echo", "structured", "fail", "die", "echo"]
      )
    }))
})
