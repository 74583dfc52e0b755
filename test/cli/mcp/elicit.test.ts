import { assert, describe, it } from "@effect/vitest"
import { inTerminal } from "../../layers/approver/inTerminal.ts"
import { misbehaving } from "../../mcp/servers.ts"
import { main, makePlace } from "../runToolgate.ts"

describe("toolgate call at a terminal", () => {
  it("has a server's form filled in", async () => {
    const place = makePlace()
    const config = JSON.stringify({ mcpServers: { it: misbehaving() } })
    const args = [main, "call", "mcp__it__ask", "{}", "--allowed-tools", "mcp__it", "--mcp-config", config]
    const session = inTerminal(process.execPath, args, { cwd: place.cwd, env: place.env })
    assert.include(await session.sees("a text: "), "The server it asks you")
    session.types("Ada\r")
    await session.sees("Send this to the server? (y/n)")
    session.types("y\r")
    assert.strictEqual(await session.exit, 0)
    assert.include(session.raw(), "Ada")
    place.remove()
  })
})
