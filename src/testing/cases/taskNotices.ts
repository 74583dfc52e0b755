/**
 * What is to be heard of the commands that a case sent into the background.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Tasks } from "../../services/Tasks.ts"
import { waitFor } from "../../tools/taskProcesses.ts"
import { taskState } from "../../tools/taskText.ts"

/**
 * Waits until they have ended, and says how. What a command left running without
 * being asked to is not waited for.
 *
 * @category searching
 * @since 0.1.0
 */
export const taskNotices = Effect.fnUntraced(function*(
  session: string
): Effect.fn.Return<ReadonlyArray<string>, never, Tasks> {
  const tasks = yield* Effect.orDie((yield* Tasks).list(session))
  const asked = tasks.filter(({ task }) => task.because === "asked")
  return yield* Effect.forEach(asked, ({ task }) =>
    Effect.map(
      Effect.orDie(waitFor(session, task.id, longestMillis)),
      (known) => `the task \`${task.id}\` ${taskState(known?.end)}`
    ))
})

const longestMillis = 10_000
