/**
 * `toolgate call`: runs one tool call through the whole pipeline.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { callArguments } from "./callArguments.ts"
import { root } from "./root.ts"

/**
 * Command that runs one governed call.
 *
 * @category commands
 * @since 0.1.0
 */
export const call = Command.make(
  "call",
  callArguments,
  Effect.fnUntraced(function*(given) {
    const { runCall } = yield* Effect.promise(() => import("./runCall.ts"))
    yield* runCall(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Runs one tool call: rules, hooks and you decide, then the tool runs and its result is written. " +
      "Exit codes: 0 done, 1 the tool failed, 2 wrong usage, 3 denied, 130 interrupted, 143 terminated."
  ),
  Command.withShortDescription("Run one tool call"),
  Command.withExamples([
    { command: "toolgate call Bash '{\"command\":\"ls src | wc -l\"}'", description: "Input as an argument" },
    { command: "jq -n '{file_path: \"/etc/hosts\"}' | toolgate call Read -", description: "Input from a pipe" },
    {
      command: "toolgate call Bash @input.json --allowed-tools 'Bash(npm test)' --ask deny",
      description: "Input from a file, with a rule that allows, and nobody to ask"
    },
    {
      command: "toolgate call --tool-use @block.json --output json",
      description: "A whole tool_use block in, a tool_result and its decision out"
    }
  ])
)
