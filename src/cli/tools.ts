/**
 * `toolgate tools`: the tools there are.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that lists the tools.
 *
 * @category commands
 * @since 0.1.0
 */
export const tools = Command.make(
  "tools",
  {},
  Effect.fnUntraced(function*() {
    const { listTools } = yield* Effect.promise(() => import("./listTools.ts"))
    yield* listTools(yield* root)
  })
).pipe(
  Command.withDescription("Lists the tools by name, with aliases and what they do; as JSON also what input they take."),
  Command.withShortDescription("List the tools"),
  Command.withExamples([
    { command: "toolgate tools" },
    {
      command: "toolgate tools --json | jq '.tools[] | select(.name == \"Edit\")'",
      description: "The JSON Schema of one tool's input"
    }
  ])
)
