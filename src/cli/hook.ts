/**
 * `toolgate hook`: decides as the hook of another program.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that reads what a PreToolUse hook reads, and answers as one.
 *
 * @category commands
 * @since 0.1.0
 */
export const hook = Command.make(
  "hook",
  {},
  Effect.fnUntraced(function*() {
    const { runHook } = yield* Effect.promise(() => import("./runHook.ts"))
    yield* runHook(yield* root)
  })
).pipe(
  Command.withDescription(
    "Decides as a PreToolUse hook of another program: reads the hook's JSON on standard input, writes its decision " +
      "on standard output. Runs no tool, no hook and no classifier. Exit codes: 0 answered, 2 it could not be decided, " +
      "which blocks the call."
  ),
  Command.withShortDescription("Be the hook of another program"),
  Command.withExamples([
    { command: "toolgate hook < input.json", description: "What another program would be told" }
  ])
)
