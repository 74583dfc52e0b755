/**
 * Tells a session of its tasks that have ended, each once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Tasks } from "../services/Tasks.ts"
import { quoted } from "./quoted.ts"
import { look } from "./taskProcesses.ts"
import { oneLine, taskState } from "./taskText.ts"

/**
 * Says of every task that has ended since how it did. A task that can't be read
 * is told by whoever asks for it.
 *
 * @category rendering
 * @since 0.1.0
 */
export const endedTasks = Effect.fnUntraced(function*(
  session: string
): Effect.fn.Return<ReadonlyArray<string>, never, Tasks> {
  const { tell, untold } = yield* Tasks
  const said: Array<string> = []
  for (const id of yield* untold(session)) {
    const known = yield* Effect.option(look(session, id))
    if (known._tag === "None" || known.value?.end === undefined) continue
    const { end, task } = known.value
    if (!(yield* tell(session, id))) continue
    said.push(
      `the task ${quoted(id)} (${oneLine(task.command)}) ${taskState(end)}; its output is in ${quoted(task.output)}`
    )
  }
  return said
})
