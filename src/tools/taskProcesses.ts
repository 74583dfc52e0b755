/**
 * The processes of a task, and whether there are any left.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import type { KnownTask, Task } from "../domain/Task.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import { Tasks } from "../services/Tasks.ts"
import { endProcesses } from "./endProcesses.ts"
import * as ProcessTable from "./ProcessTable.ts"

/**
 * The machine's run: after a restart the numbers of processes are others'.
 *
 * @category getters
 * @since 0.1.0
 */
export const bootOf = (): { readonly boot?: string } => {
  const boot = Result.try(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim())
  return Result.isSuccess(boot) ? { boot: boot.success } : {}
}

/**
 * Looks a task up. One whose processes are gone has ended, even when nobody
 * noted how.
 *
 * @category searching
 * @since 0.1.0
 */
export const look = Effect.fnUntraced(function*(
  session: string,
  id: string
): Effect.fn.Return<KnownTask | undefined, StoreFailed, Tasks> {
  const tasks = yield* Tasks
  const known = yield* tasks.find(session, id)
  if (known === undefined || known.end !== undefined || isAlive(known.task)) return known

  // Whoever saw it end may be about to note it.
  for (let waited = 0; waited < noteMillis; waited += pauseMillis) {
    yield* Effect.sleep(pauseMillis)
    const again = yield* tasks.find(session, id)
    if (again?.end !== undefined) return again
  }
  yield* tasks.settle(session, id, { _tag: "Unknown" })
  return yield* tasks.find(session, id)
})

/**
 * Waits until a task has ended, or for that many milliseconds.
 *
 * @category searching
 * @since 0.1.0
 */
export const waitFor = Effect.fnUntraced(function*(
  session: string,
  id: string,
  millis: number
): Effect.fn.Return<KnownTask | undefined, StoreFailed, Tasks> {
  const until = (yield* Clock.currentTimeMillis) + millis
  while (true) {
    const known = yield* look(session, id)
    const left = until - (yield* Clock.currentTimeMillis)
    if (known === undefined || known.end !== undefined || left <= 0) return known
    yield* Effect.sleep(Math.min(lookMillis, left))
  }
})

/**
 * Ends every process of a task, and notes that it was stopped.
 *
 * @category running
 * @since 0.1.0
 */
export const stop = Effect.fnUntraced(function*(
  session: string,
  task: Task,
  graceMillis: number
): Effect.fn.Return<void, StoreFailed, Tasks> {
  const tasks = yield* Tasks
  yield* Effect.uninterruptible(
    Effect.all([
      tasks.settle(session, task.id, { _tag: "Stopped" }),
      tasks.tell(session, task.id),
      endProcesses(familyOf(task), graceMillis)
    ], { discard: true })
  )
})

const noteMillis = 300
const pauseMillis = 20
const lookMillis = 100

const familyOf = ({ group, pipe, since, variable }: Task): ProcessTable.Family => ({ group, pipe, since, variable })

const isAlive = (task: Task): boolean => {
  if (task.boot !== undefined && task.boot !== bootOf().boot) return false
  return ProcessTable.isKnown()
    ? ProcessTable.members(familyOf(task)).length > 0
    : Result.isSuccess(Result.try(() => process.kill(-task.group, 0)))
}
