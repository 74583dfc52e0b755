import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { mcpServerName, mcpToolName, mcpToolPrefix } from "../../src/domain/mcpNames.ts"

describe("names of servers and their tools", () => {
  it.prop("are what the Messages API takes, and begin with their server's", {
    server: Schema.String,
    tool: Schema.String
  }, ({ server, tool }) => {
    const name = mcpToolName(server, tool)
    assert.match(name, /^[a-zA-Z0-9_-]{1,128}$/)
    assert.isTrue(name.startsWith(mcpToolPrefix(server)))
  })

  it("what is too long is cut and stays apart", () => {
    const long = "x".repeat(200)
    assert.strictEqual(mcpServerName(long).length, 64)
    assert.strictEqual(mcpToolName("a", long).length, 128)
    assert.notStrictEqual(mcpToolName("a", `${long}1`), mcpToolName("a", `${long}2`))
    assert.notStrictEqual(mcpServerName(`${long}1`), mcpServerName(`${long}2`))
  })
})
