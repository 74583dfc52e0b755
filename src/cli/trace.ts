/**
 * `toolgate trace`: shows a recorded call or conversation.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that shows a recording step by step, as text or as a page.
 *
 * @category commands
 * @since 0.1.0
 */
export const trace = Command.make(
  "trace",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("What --output stream-json wrote, or - for standard input")
    ),
    html: Flag.String("html").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("Write a page that plays it to this file, or - for standard output"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*(given) {
    const { runTrace } = yield* Effect.promise(() => import("./runTrace.ts"))
    yield* runTrace(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Shows a recorded call or conversation step by step: who said what to whom, what the gate decided and why. With " +
      "--html it writes one page that needs nothing else and plays it. Both show what the recording holds, texts and " +
      "paths included. Exit codes: 0, 1 it holds no event or can't be written, 2 wrong usage."
  ),
  Command.withShortDescription("Show a recorded call or conversation"),
  Command.withExamples([
    {
      command: "toolgate call Bash '{\"command\":\"ls\"}' --output stream-json > call.ndjson",
      description: "Record a call"
    },
    { command: "toolgate trace call.ndjson", description: "Read it here" },
    { command: "toolgate trace call.ndjson --html call.html", description: "Watch it in a browser" }
  ])
)
