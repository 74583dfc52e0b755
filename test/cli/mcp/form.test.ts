import { assert, describe, it } from "@effect/vitest"
import { inTerminal, keys } from "../../layers/approver/inTerminal.ts"
import { misbehaving } from "../../mcp/servers.ts"
import { main, makePlace } from "../runToolgate.ts"

const asking = async (talk: (terminal: ReturnType<typeof inTerminal>) => Promise<void>): Promise<string> => {
  const place = makePlace()
  const flag = JSON.stringify({ mcpServers: { notes: misbehaving() } })
  const args = [main, "call", "mcp__notes__ask", "{}", "--mcp-config", flag, "--allowed-tools", "mcp__notes"]
  const terminal = inTerminal(process.execPath, args, { cwd: place.cwd, env: place.env })
  try {
    await talk(terminal)
    await terminal.exit
    return terminal.raw()
  } finally {
    terminal.kill("SIGKILL")
    place.remove()
  }
}

describe("a server's form at the terminal", () => {
  it("is filled in and sent", async () => {
    const shown = await asking(async ({ sees, types }) => {
      assert.include(await sees("a text: "), "The server notes asks you:")
      types(`blue${keys.enter}`)
      await sees("Send this to the server?")
      types(`y${keys.enter}`)
    })
    assert.include(shown, "{\"action\":\"accept\",\"content\":{\"colour\":\"blue\"}}")
  })

  it("is declined with Escape", async () => {
    const shown = await asking(async ({ sees, types }) => {
      await sees("a text: ")
      types(keys.escape)
    })
    assert.include(shown, "{\"action\":\"decline\"}")
  })
})
