/**
 * `toolgate check`: decides about a call, shows why, and runs nothing.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { callArguments } from "./callArguments.ts"
import { root } from "./root.ts"

/**
 * Command that explains a decision without running the tool.
 *
 * @category commands
 * @since 0.1.0
 */
export const check = Command.make(
  "check",
  callArguments,
  Effect.fnUntraced(function*(given) {
    const { runCheck } = yield* Effect.promise(() => import("./runCheck.ts"))
    yield* runCheck(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Decides about a call and shows everything that was looked at. Runs no tool, no hook and no classifier. " +
      "Exit codes: 0 allow, 2 wrong usage, 3 deny, 4 ask."
  ),
  Command.withShortDescription("Say what would be decided, and why"),
  Command.withExamples([
    { command: "toolgate check Bash '{\"command\":\"npm publish\"}'", description: "Would this be asked?" },
    {
      command: "toolgate check Edit @input.json --permission-mode acceptEdits",
      description: "In another permission mode"
    },
    {
      command: "toolgate check Bash - --json < input.json | jq .decision.verdict",
      description: "For a script"
    }
  ])
)
