/**
 * `toolgate lint`: looks over all settings for what does not do what it seems
 * to.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that looks over settings.
 *
 * @category commands
 * @since 0.1.0
 */
export const lint = Command.make(
  "lint",
  {
    strict: Flag.Boolean("strict").pipe(
      Flag.withoutNegation,
      Flag.withDescription("End with 1 for warnings, too"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ strict }) {
    const { runLint } = yield* Effect.promise(() => import("./runLint.ts"))
    yield* runLint(yield* root, strict)
  })
).pipe(
  Command.withDescription(
    "Looks over all settings, those of a folder that is not trusted included: what could not be read, rules that " +
      "stand twice or never count, hooks that let calls go on when they fail, rules that let anything run. Exit " +
      "codes: 0, 1 when there are errors (with --strict also when there are warnings; notes never count), 2 wrong usage."
  ),
  Command.withShortDescription("Find rules and hooks that don't do what they seem to"),
  Command.withExamples([
    { command: "toolgate lint" },
    { command: "toolgate lint --strict --json > lint.json", description: "In a build" }
  ])
)
