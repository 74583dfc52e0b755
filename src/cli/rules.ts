/**
 * `toolgate rules`: the rules in force, where each was written, and everything
 * that was wrong with what was read.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that lists the rules in force.
 *
 * @category commands
 * @since 0.1.0
 */
export const rules = Command.make(
  "rules",
  {},
  Effect.fnUntraced(function*() {
    const { listRules } = yield* Effect.promise(() => import("./listRules.ts"))
    yield* listRules(yield* root)
  })
).pipe(
  Command.withDescription(
    "Lists every rule in force with its source, file and line, whether the workspace is trusted, and every problem " +
      "found while reading. Exit codes: 0, or 1 when a file could not be read or a deny or ask rule was lost."
  ),
  Command.withShortDescription("List the rules in force"),
  Command.withExamples([
    { command: "toolgate rules" },
    { command: "toolgate rules --cwd ../other --json | jq -r '.problems[].message'", description: "Only the problems" }
  ])
)
