/**
 * Lists the tools for `toolgate tools`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Tool } from "../domain/Tool.ts"
import { McpServers } from "../services/McpServers.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"
import { gate } from "./gate.ts"
import { line, oneLine } from "./line.ts"
import { statusText } from "./mcp/statusText.ts"
import { type ToolsOutput, version } from "./Output.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import { wrapWords } from "./wrapWords.ts"
import * as write from "./write.ts"

/**
 * Writes the tools, by name for a person and whole for a program.
 *
 * @category commands
 * @since 0.1.0
 */
export const listTools = Effect.fn("cli.tools")(function*(shared: Shared) {
  const layer = yield* gate(shared)
  const { servers, tools } = yield* Effect.gen(function*() {
    const { ready, status } = yield* McpServers
    yield* ready
    return { tools: yield* (yield* ToolRegistry).all, servers: (yield* status).servers }
  }).pipe(Effect.provide(layer))
  for (const server of servers) {
    const { status, why } = statusText(server)
    if (why !== undefined) {
      yield* write.err(line(`the MCP server \`${server.entry.name}\` is missing (${status}): ${why}`))
    }
  }
  if (Surroundings.form(shared) === "text") {
    yield* write.out(tableOf(tools))
  } else {
    const output: ToolsOutput = {
      version,
      tools: tools.map((tool) => ({
        name: tool.name,
        aliases: tool.aliases,
        deprecated_aliases: tool.deprecatedAliases,
        description: tool.description,
        origin: tool.origin,
        input_schema: tool.jsonSchema()
      }))
    }
    yield* write.json(output)
  }
})

const tableOf = (tools: ReadonlyArray<Tool>): string => {
  const column = Math.min(Math.max(...tools.map(({ name }) => name.length), 0) + 2, 30)
  const width = Math.max((process.stdout.columns ?? 80) - column - 1, 30)
  return tools.flatMap((tool) => {
    const names = [...tool.aliases, ...tool.deprecatedAliases.map((alias) => `${alias}, deprecated`)]
    const also = names.length === 0 ? "" : ` (also ${names.join(", ")})`
    // One sentence is enough here; the whole of it is for the model.
    const [first = ""] = tool.description.split(/(?<=\.)\s|\n/, 1)
    return wrapWords(`${oneLine(first)}${also}`, width).map((row, index) =>
      `${(index === 0 ? tool.name : "").padEnd(column)}${row}\n`
    )
  }).join("")
}
