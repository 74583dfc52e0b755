/**
 * `toolgate explain`: for each part of a call which rule decides, and why no
 * other one does.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { callArguments } from "./callArguments.ts"
import { root } from "./root.ts"

/**
 * Command that explains a decision, rule by rule.
 *
 * @category commands
 * @since 0.1.0
 */
export const explain = Command.make(
  "explain",
  callArguments,
  Effect.fnUntraced(function*(given) {
    const { runExplain } = yield* Effect.promise(() => import("./runExplain.ts"))
    yield* runExplain(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Shows for each part of a call which rule decides, with its source, file and line, and why every other rule does " +
      "not. Runs no tool, no hook and no classifier. Exit codes as of `check`: 0 allow, 2 wrong usage, 3 deny, 4 ask."
  ),
  Command.withShortDescription("Show why each rule decides or does not"),
  Command.withExamples([
    {
      command: "toolgate explain Bash '{\"command\":\"npm test && git push\"}'",
      description: "Why is this asked?"
    },
    {
      command: "toolgate explain Read @input.json --json | jq '.decision.judged[].candidates'",
      description: "Every candidate, for a script"
    }
  ])
)
