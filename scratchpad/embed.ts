/**
 * Embeds the pipeline in an application: one call, run, and its answer printed.
 *
 * Run it with `npx node --conditions=toolgate-source scratchpad/embed.ts`.
 */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { layer, Pipeline, ToolResult } from "toolgate"

const program = Effect.gen(function*() {
  const pipeline = yield* Pipeline
  const result = yield* pipeline.run({
    type: "tool_use",
    id: "toolu_embed",
    name: "Bash",
    input: { command: "ls src | wc -l" }
  })
  yield* Console.log(ToolResult.textOf(result.content))
})

await program.pipe(
  Effect.provide(layer({ context: { session: "embed", cwd: process.cwd(), directories: [] } })),
  Effect.runPromise
)
