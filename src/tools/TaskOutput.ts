/**
 * The tool that shows what a task has printed, and how it is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { Tasks } from "../services/Tasks.ts"
import { fileFailed, fileStep, type FileStepFailed } from "./fileStep.ts"
import * as OutputText from "./OutputText.ts"
import { quoted } from "./quoted.ts"
import { waitFor } from "./taskProcesses.ts"
import { noSuchTask, oneLine, taskState } from "./taskText.ts"

const Input = Schema.Struct({
  task_id: Schema.String.annotate({ description: "The id that was given when the command went into the background" }),
  block: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether to wait until the task has ended: true when left out" })
  ),
  timeout: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "How long to wait at most, in milliseconds: 30000 when left out, 600000 at most"
    })
  )
})

/**
 * What a task printed, as hooks see it. Of a long output there are both ends.
 *
 * @category models
 * @since 0.1.0
 */
export interface TaskOutputValue {
  readonly taskId: string
  readonly status: "running" | "ended"
  readonly exitCode?: number
  readonly said: string
  readonly outputPath: string
  readonly size: number
  readonly head: string
  readonly tail?: string
}

/**
 * Shows a task of the session, whichever process began it.
 *
 * @category tools
 * @since 0.1.0
 */
export const TaskOutput: Tool.Tool<Tasks> = Tool.make({
  name: "TaskOutput",
  deprecatedAliases: ["BashOutput", "AgentOutputTool"],
  origin: "builtin",
  description: "Shows what a background task has printed, whether it still runs, and its exit code once it has ended.",
  input: Input,
  maxResultSizeChars: 32_000,
  concurrencySafe: () => true,
  check: () => Effect.succeed({ _tag: "Allow", reason: "it only shows what a command of this session printed" }),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<TaskOutputValue, ToolFailed, Tasks> {
    const { session } = context.call
    const millis = input.block === false ? 0 : Math.min(input.timeout ?? 30_000, 600_000)
    const known = yield* Effect.mapError(waitFor(session, input.task_id, millis), asFailure)
    if (known === undefined) {
      const others = yield* Effect.mapError((yield* Tasks).list(session), asFailure)
      return yield* new ToolFailed({ reason: noSuchTask(input.task_id, others) })
    }
    const { end, task } = known
    if (end !== undefined) yield* (yield* Tasks).tell(session, task.id)
    const printed = yield* Effect.mapError(ends(task.output), fileFailed("read", task.output))
    return {
      taskId: task.id,
      status: end === undefined ? "running" : "ended",
      ...(end?._tag === "Exited" ? { exitCode: end.code } : {}),
      said: `the task ${quoted(task.id)} (${oneLine(task.command)}) ${taskState(end)}`,
      outputPath: task.output,
      ...printed
    }
  }),
  render: ({ head, outputPath, said, size, tail }: TaskOutputValue) => {
    if (tail !== undefined) {
      return { _tag: "Stored", path: outputPath, size, head: `[${said}]\n${head}`, tail: `${tail}\n[${said}]` }
    }
    return head.trim() === "" ? `[${said}; it has printed nothing]` : `[${said}]\n${head.replace(/\n+$/, "")}`
  }
})

const asFailure = (error: { readonly message: string }): ToolFailed => new ToolFailed({ reason: error.message })

const endBytes = 15_000

const ends = (path: string): Effect.Effect<Pick<TaskOutputValue, "head" | "size" | "tail">, FileStepFailed> =>
  Effect.acquireUseRelease(
    fileStep(() => open(path, constants.O_RDONLY | constants.O_NOFOLLOW)),
    Effect.fnUntraced(
      function*(handle): Effect.fn.Return<Pick<TaskOutputValue, "head" | "size" | "tail">, FileStepFailed> {
        const { size } = yield* fileStep(() => handle.stat())
        if (size <= 2 * endBytes) return { size, head: yield* piece(handle, 0, size) }
        return { size, head: yield* piece(handle, 0, endBytes), tail: yield* piece(handle, size - endBytes, endBytes) }
      }
    ),
    (handle) => Effect.ignore(fileStep(() => handle.close()))
  )

/** As text, without the part of a character that the cut left at either end. */
const piece = (handle: FileHandle, from: number, length: number): Effect.Effect<string, FileStepFailed> =>
  Effect.map(fileStep(() => handle.read(Buffer.alloc(length), 0, length, from)), ({ buffer, bytesRead }) => {
    const bytes = buffer.subarray(0, bytesRead)
    const start = from === 0 ? 0 : bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
    return OutputText.read([bytes.subarray(Math.max(0, start))])
  })
