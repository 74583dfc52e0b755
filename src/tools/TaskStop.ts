/**
 * The tool that ends a task.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { Tasks } from "../services/Tasks.ts"
import { BashLimits } from "./BashLimits.ts"
import { quoted } from "./quoted.ts"
import { look, stop } from "./taskProcesses.ts"
import { noSuchTask, oneLine, taskState } from "./taskText.ts"

const Input = Schema.Struct({
  task_id: Schema.optionalKey(Schema.String.annotate({ description: "The id of the task to end" })),
  shell_id: Schema.optionalKey(Schema.String.annotate({ description: "The old name of `task_id`" }))
})

/**
 * Ends every process of a task of the session.
 *
 * @category tools
 * @since 0.1.0
 */
export const TaskStop: Tool.Tool<Tasks> = Tool.make({
  name: "TaskStop",
  deprecatedAliases: ["KillShell"],
  origin: "builtin",
  description: "Ends a background task, with every process that it started.",
  input: Input,
  validateInput: (input) =>
    Effect.succeed(
      idOf(input) === undefined
        ? { _tag: "Refused", message: "`task_id` has to say which task to end", code: 1 }
        : { _tag: "Valid" }
    ),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<string, ToolFailed, Tasks> {
    const { session } = context.call
    const id = idOf(input) ?? ""
    const known = yield* Effect.mapError(look(session, id), asFailure)
    if (known === undefined) {
      const others = yield* Effect.mapError((yield* Tasks).list(session), asFailure)
      return yield* new ToolFailed({ reason: noSuchTask(id, others) })
    }
    const { end, task } = known
    if (end !== undefined) return yield* new ToolFailed({ reason: `the task ${quoted(id)} ${taskState(end)} already` })
    const { graceMillis } = yield* BashLimits
    yield* Effect.mapError(stop(session, task, graceMillis), asFailure)
    return `stopped the task ${quoted(id)} (${oneLine(task.command)})`
  })
})

const idOf = ({ shell_id, task_id }: typeof Input.Type): string | undefined => task_id ?? shell_id

const asFailure = (error: { readonly message: string }): ToolFailed => new ToolFailed({ reason: error.message })
