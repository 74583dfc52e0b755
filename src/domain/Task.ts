/**
 * Commands that go on after the call that began them has been answered.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a task.
 *
 * **Details**
 *
 * - `because`: the call asked for it, it reached its time limit, or it is what a
 *   command that has ended left running.
 * - `output`: the file that holds what it prints.
 * - `group`, `since`, `variable`, `pipe`, `boot`: by what its processes are
 *   known: the process group, the moment it began, a variable in their
 *   environment, the pipe they print into, and the run of the machine.
 *
 * @category models
 * @since 0.1.0
 */
export const Task = Schema.Struct({
  id: Schema.NonEmptyString,
  command: Schema.String,
  cwd: Schema.String,
  because: Schema.Literals(["asked", "timeout", "left"]),
  startedMillis: Schema.Finite,
  output: Schema.String,
  group: Schema.Int,
  since: Schema.Finite,
  variable: Schema.String,
  pipe: Schema.optionalKey(Schema.String),
  boot: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Task = typeof Task.Type

/**
 * Schema for how a task ended. `TooMuch` is one that printed more than it may,
 * `Unknown` is one that nobody saw end: what a
 * command left behind tells its exit code to nobody.
 *
 * @category models
 * @since 0.1.0
 */
export const TaskEnd = Schema.Union([
  Schema.TaggedStruct("Exited", { code: Schema.Int }),
  Schema.TaggedStruct("Signalled", { signal: Schema.String }),
  Schema.TaggedStruct("Stopped", {}),
  Schema.TaggedStruct("TooMuch", {}),
  Schema.TaggedStruct("Unknown", {})
])

/**
 * @category models
 * @since 0.1.0
 */
export type TaskEnd = typeof TaskEnd.Type

/**
 * A task, and how it ended if it has.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownTask {
  readonly task: Task
  readonly end: TaskEnd | undefined
}
