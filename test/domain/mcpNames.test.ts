import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { mcpNameOf, mcpToolName, mcpToolPrefix } from "../../src/domain/mcpNames.ts"

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
    assert.strictEqual(mcpToolName("a", long).length, 128)
    assert.notStrictEqual(mcpToolName("a", `${long}1`), mcpToolName("a", `${long}2`))
  })

  it.prop("are found by whoever writes them as server and tool call themselves", {
    server: Schema.String,
    tool: Schema.String
  }, ({ server, tool }) => {
    const plain = (text: string) => text.replaceAll("*", "+")
    assert.strictEqual(mcpNameOf(`mcp__${plain(server)}__${plain(tool)}`), mcpToolName(plain(server), plain(tool)))
  })

  it("are found so even where they were cut", () => {
    const long = "t/".repeat(100)
    assert.strictEqual(mcpNameOf(`mcp__a.b__${long}`), mcpToolName("a.b", long))
  })
})
