/**
 * Service boundary for the record of tasks. It knows what was begun and how it
 * ended; ending them is for those who know processes.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { KnownTask, Task, TaskEnd } from "../domain/Task.ts"
import type { StoreFailed } from "../errors/SessionError.ts"

/**
 * Room for a task. Nothing is on disk yet; once the task is noted, whoever looks
 * after it may write the number of its exit code to the file `code` in `folder`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Room {
  readonly id: string
  readonly folder: string
  readonly output: string
}

/**
 * The file in a task's folder that says that it was ended since it printed too
 * much, which only the process that keeps what it prints can know.
 *
 * @category constants
 * @since 0.1.0
 */
export const tooMuch = "too-much"

/**
 * Service that remembers the tasks of sessions.
 *
 * @category services
 * @since 0.1.0
 */
export class Tasks extends Context.Service<Tasks, {
  /** Whether this process may end before its tasks do, so that another has to learn their exit codes. */
  readonly outlived: boolean
  /** Room for one more task, under an id that no other has. */
  readonly room: (session: string) => Effect.Effect<Room>
  /** Notes a task. Its output file is there afterwards. */
  readonly note: (session: string, task: Task) => Effect.Effect<void, StoreFailed>
  /** Notes how a task ended, unless that is known already. */
  readonly settle: (session: string, id: string, end: TaskEnd) => Effect.Effect<void, StoreFailed>
  /** The task of an id. */
  readonly find: (session: string, id: string) => Effect.Effect<KnownTask | undefined, StoreFailed>
  /** The ids of tasks of whose end the session has not heard. */
  readonly untold: (session: string) => Effect.Effect<ReadonlyArray<string>>
  /** Notes that the session hears of a task's end. False when it has already. */
  readonly tell: (session: string, id: string) => Effect.Effect<boolean>
  /** Every task of a session, oldest first. */
  readonly list: (session: string) => Effect.Effect<ReadonlyArray<KnownTask>, StoreFailed>
}>()("toolgate/services/Tasks") {}
