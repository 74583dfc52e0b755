/**
 * `toolgate tasks`: the commands that go on in the background.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

const stop = Command.make(
  "stop",
  { id: Argument.String("id").pipe(Argument.withDescription("The task, as `toolgate tasks` names it")) },
  Effect.fnUntraced(function*({ id }) {
    const { stopTask } = yield* Effect.promise(() => import("./listTasks.ts"))
    yield* stopTask(id, yield* root)
  })
).pipe(
  Command.withDescription("Ends a task of the session, with every process that it started."),
  Command.withShortDescription("End a task"),
  Command.withExamples([{ command: "toolgate tasks stop 5c1f0a9e" }])
)

/**
 * Command that lists the tasks of a session.
 *
 * @category commands
 * @since 0.1.0
 */
export const tasks = Command.make(
  "tasks",
  {},
  Effect.fnUntraced(function*() {
    const { listTasks } = yield* Effect.promise(() => import("./listTasks.ts"))
    yield* listTasks(yield* root)
  })
).pipe(
  Command.withSubcommands([stop]),
  Command.withDescription(
    "Lists the commands of the session that went on in the background, whichever process began them: whether each still " +
      "runs, how it ended, and as JSON also what file it prints into."
  ),
  Command.withShortDescription("List and end background tasks"),
  Command.withExamples([
    { command: "toolgate tasks" },
    { command: "toolgate tasks --json | jq -r '.tasks[] | select(.status == \"running\") | .id'" }
  ])
)
