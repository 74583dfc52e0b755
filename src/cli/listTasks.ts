/**
 * Lists and ends tasks for `toolgate tasks`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { KnownTask, TaskEnd } from "../domain/Task.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import { stateDirectory } from "../layers/stateDirectory.ts"
import * as TasksLayers from "../layers/Tasks.ts"
import { Tasks } from "../services/Tasks.ts"
import { BashLimits } from "../tools/BashLimits.ts"
import { look, stop } from "../tools/taskProcesses.ts"
import { noSuchTask, taskState } from "../tools/taskText.ts"
import { Ended } from "./Ended.ts"
import { line, oneLine } from "./line.ts"
import { type TasksOutput, version } from "./Output.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Writes the tasks of the session, oldest first.
 *
 * @category commands
 * @since 0.1.0
 */
export const listTasks = Effect.fn("cli.tasks")(function*(shared: Shared) {
  const { session } = yield* Surroundings.context(shared)
  const known = yield* withTasks(Effect.gen(function*() {
    const all = yield* (yield* Tasks).list(session)
    // One whose processes are gone has ended, even when nobody noted it.
    return yield* Effect.forEach(all, (one) => Effect.map(look(session, one.task.id), (now) => now ?? one), {
      concurrency: "unbounded"
    })
  }))
  if (Surroundings.form(shared) === "text") return yield* write.out(known.map(rowOf).join(""))
  const output: TasksOutput = {
    version,
    session,
    tasks: known.map(({ end, task }) => ({
      id: task.id,
      command: task.command,
      cwd: task.cwd,
      began: task.startedMillis,
      output: task.output,
      status: end === undefined ? "running" : "ended",
      state: taskState(end),
      ...(end?._tag === "Exited" ? { exit_code: end.code } : {})
    }))
  }
  return yield* write.json(output)
})

/**
 * Ends one task of the session.
 *
 * @category commands
 * @since 0.1.0
 */
export const stopTask = Effect.fn("cli.tasks.stop")(function*(id: string, shared: Shared) {
  const { session } = yield* Surroundings.context(shared)
  const { graceMillis } = yield* BashLimits
  const problem = yield* withTasks(Effect.gen(function*() {
    const known = yield* look(session, id)
    if (known === undefined) return noSuchTask(id, yield* (yield* Tasks).list(session))
    if (known.end !== undefined) return `the task \`${id}\` ${taskState(known.end)} already`
    yield* stop(session, known.task, graceMillis)
    return undefined
  }))
  if (problem === undefined) return yield* write.out(`stopped \`${id}\`\n`)
  yield* write.err(line(problem))
  return yield* new Ended({ code: 1 })
})

const withTasks = <A>(use: Effect.Effect<A, StoreFailed, Tasks>) =>
  use.pipe(
    Effect.catchTag(
      "StoreFailed",
      (error) => Effect.andThen(write.err(line(error.message)), Effect.fail(new Ended({ code: 1 })))
    ),
    Effect.provide(TasksLayers.layerFiles(stateDirectory(), { outlived: true }))
  )

const rowOf = ({ end, task }: KnownTask): string => {
  const width = Math.max((write.columns() ?? 80) - 41, 30)
  const began = new Date(task.startedMillis).toISOString().slice(0, 19).replace("T", " ")
  return `${task.id}  ${wordOf(end).padEnd(8)}  ${began}  ${oneLine(task.command, width)}\n`
}

const wordOf = (end: TaskEnd | undefined): string => {
  switch (end?._tag) {
    case undefined:
      return "running"
    case "Exited":
      return `exit ${end.code}`
    case "Signalled":
      return end.signal.slice(0, 8)
    case "Stopped":
      return "stopped"
    case "TooMuch":
      return "too much"
    case "Unknown":
      return "ended"
  }
}
