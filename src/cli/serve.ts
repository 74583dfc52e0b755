/**
 * `toolgate serve`: decides for many, without starting anew each time.
 *
 * @since 0.1.0
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

/**
 * Command that answers decisions over a Unix socket until it is told to stop.
 *
 * @category commands
 * @since 0.1.0
 */
export const serve = Command.make(
  "serve",
  {
    socket: Flag.String("socket").pipe(
      Flag.withMetavar("PATH"),
      Flag.withDescription("Where to listen (toolgate.sock in $XDG_RUNTIME_DIR, else in the state directory)"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*({ socket }) {
    const { runServe } = yield* Effect.promise(() => import("./runServe.ts"))
    yield* runServe(socket, yield* root)
  })
).pipe(
  Command.withDescription(
    "Answers checks and hooks over a Unix socket, one JSON object a line, until it is told to stop. Runs no tool, no " +
      "hook and no classifier. The program toolgate-client asks it."
  ),
  Command.withShortDescription("Answer checks and hooks over a socket"),
  Command.withExamples([
    { command: "toolgate serve &" },
    { command: "toolgate-client check Bash '{\"command\":\"npm publish\"}'", description: "Ask it" },
    { command: "toolgate-client hook < input.json", description: "As a hook of another program" }
  ])
)
