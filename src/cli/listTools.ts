/**
 * Lists the tools for `toolgate tools`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Tool } from "../domain/Tool.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"
import { gate } from "./gate.ts"
import { oneLine } from "./line.ts"
import { awaitServers } from "./mcp/awaitServers.ts"
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
  const tools = yield* Effect.gen(function*() {
    yield* awaitServers()
    return yield* (yield* ToolRegistry).all
  }).pipe(Effect.provide(layer))
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
  const width = Math.max((write.columns() ?? 80) - column - 1, 30)
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
