/**
 * `toolgate log`: reads the audit log.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { Decider } from "../domain/Decision.ts"
import { root } from "./root.ts"

/**
 * Command that reads, filters and follows the audit log.
 *
 * @category commands
 * @since 0.1.0
 */
export const log = Command.make(
  "log",
  {
    tools: Flag.String("tool").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Only calls of this tool; may be repeated"),
      Flag.atLeast(0)
    ),
    verdict: Flag.Literals("verdict", ["allow", "deny"]).pipe(
      Flag.withMetavar("VERDICT"),
      Flag.withDescription("Only what was allowed, or denied"),
      Flag.optional
    ),
    by: Flag.Literals("by", Decider.literals).pipe(
      Flag.withMetavar("WHO"),
      Flag.withDescription("Only what this one had the last word on: rule, person, hook, mode, …"),
      Flag.atLeast(0)
    ),
    call: Flag.String("call").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("Only this call, and those that its tool made"),
      Flag.optional
    ),
    since: Flag.String("since").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription(
        "Only from then on: 30m, 2h, 7d ago, or 2026-01-31, 2026-01-31T12:00 (UTC), 2026-01-31T12:00+02:00"
      ),
      Flag.optional
    ),
    until: Flag.String("until").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("Only before then"),
      Flag.optional
    ),
    last: Flag.Int("last").pipe(
      Flag.withAlias("n"),
      Flag.withMetavar("COUNT"),
      Flag.withDescription("Only the last of them"),
      Flag.optional
    ),
    follow: Flag.Boolean("follow").pipe(
      Flag.withAlias("f"),
      Flag.withoutNegation,
      Flag.withDescription("Go on with what is decided from now on, until Ctrl-C"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*(given) {
    const { runLog } = yield* Effect.promise(() => import("./runLog.ts"))
    yield* runLog(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Reads the audit log: one line a decision, oldest first. Settings switch it on with \"audit\": true. With --session " +
      "only what belongs to that session. --json gives the entries as they are, one a line, with everything that was " +
      "looked at. Exit codes: 0, 1 it can't be read, 2 wrong usage."
  ),
  Command.withShortDescription("Read the audit log of decisions"),
  Command.withExamples([
    { command: "toolgate log --verdict deny --since 1d", description: "What was denied since yesterday" },
    { command: "toolgate log -n 20 --follow", description: "The last twenty, then whatever comes" },
    { command: "toolgate log --by person --json | jq -r .input.command", description: "What people answered to" }
  ])
)
