/**
 * Makes a task of a command that goes on.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import type { ToolFailed } from "../errors/ExecuteError.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import { type Room, Tasks, tooMuch } from "../services/Tasks.ts"
import type { FileStepFailed } from "./fileStep.ts"
import { fileStep } from "./fileStep.ts"
import type { Kept } from "./OutputKeeper.ts"
import type { Going } from "./runShell.ts"
import { bootOf } from "./taskProcesses.ts"

/**
 * What a task is made of, beside its processes.
 *
 * **Details**
 *
 * `before` is what the command printed up to now. The task prints into the file
 * that holds it, where there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewTask {
  readonly session: string
  readonly room: Room
  readonly command: string
  readonly cwd: string
  readonly before: Kept
}

/**
 * Notes the task, has what it prints kept, and notes how it ends as long as this
 * process is there to hear of it. Gives the file that it prints into.
 *
 * @category constructors
 * @since 0.1.0
 */
export const keepTask = Effect.fnUntraced(function*(
  { before, command, cwd, room, session }: NewTask,
  going: Going
): Effect.fn.Return<string, FileStepFailed | StoreFailed | ToolFailed, Tasks> {
  const tasks = yield* Tasks
  const { group, pipe, since, variable } = going.family
  const file = before._tag === "Long" && before.problem === undefined ? before.path : undefined
  const output = file ?? room.output
  yield* tasks.note(session, {
    id: room.id,
    command,
    cwd,
    because: going.because,
    startedMillis: yield* Clock.currentTimeMillis,
    output,
    group,
    since,
    variable,
    ...(pipe === undefined ? {} : { pipe }),
    ...bootOf()
  })
  const begun = Effect.andThen(
    file === undefined ? fileStep(() => appendFile(output, textOf(before))) : Effect.void,
    going.printInto(output, join(room.folder, tooMuch))
  )
  yield* Effect.onError(begun, () => Effect.ignore(tasks.settle(session, room.id, { _tag: "Stopped" })))
  if (going.because !== "left") {
    // The call is over by then, and with it everything that it could be a child of.
    yield* Effect.forkDetach(
      Effect.ignore(Effect.flatMap(going.exited, (end) => tasks.settle(session, room.id, end)))
    )
  }
  return output
})

const textOf = (kept: Kept): string =>
  kept._tag === "Short" ? kept.text : `${kept.head}\n… the middle is not kept …\n${kept.tail}`
