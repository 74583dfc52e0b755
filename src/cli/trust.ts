/**
 * `toolgate trust`: says that what a folder's settings loosen may count.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that trusts a folder, ends its trust, or lists what is trusted.
 *
 * @category commands
 * @since 0.1.0
 */
export const trust = Command.make(
  "trust",
  {
    directory: Argument.String("dir").pipe(
      Argument.withDescription("The folder, with everything below it (the working directory)"),
      Argument.optional
    ),
    untrust: Flag.Boolean("untrust").pipe(
      Flag.withoutNegation,
      Flag.withDescription("End the folder's trust"),
      Flag.withDefault(false)
    ),
    list: Flag.Boolean("list").pipe(
      Flag.withoutNegation,
      Flag.withDescription("List the trusted folders"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*(given) {
    const { changeTrust } = yield* Effect.promise(() => import("./changeTrust.ts"))
    yield* changeTrust(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Trusts a folder: the allow rules, hooks, modes and further directories that its settings bring count from then " +
      "on. Its deny and ask rules always do. Look at them first, and think of who can commit to it: rules and hooks " +
      "that are changed or added later count at once, and nobody is asked again. Its MCP servers count only as they are " +
      "now: one that is changed or added later waits until you trust the folder again."
  ),
  Command.withShortDescription("Trust what a folder's settings bring"),
  Command.withExamples([
    { command: "toolgate trust" },
    { command: "toolgate trust --untrust ~/src/theirs", description: "End it" },
    { command: "toolgate trust --list", description: "What is trusted" }
  ])
)
