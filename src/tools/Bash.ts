/**
 * The tool that runs a command line.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { statSync } from "node:fs"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed, ToolTimedOut } from "../errors/ExecuteError.ts"
import { ResultStore } from "../services/ResultStore.ts"
import { Sandbox } from "../services/Sandbox.ts"
import { Tasks } from "../services/Tasks.ts"
import { BashLimits, type Limits } from "./BashLimits.ts"
import { benignMeaning, codeOfSignal, failureMeaning } from "./exitMeaning.ts"
import { fileLook } from "./fileStep.ts"
import { keepTask } from "./keepTask.ts"
import { mayGoOn as mayGoOnAtLimit } from "./mayGoOn.ts"
import * as OutputKeeper from "./OutputKeeper.ts"
import * as OutputText from "./OutputText.ts"
import { textOf } from "./Piece.ts"
import type { Entry } from "./ProcessTable.ts"
import { quoted } from "./quoted.ts"
import { type Going, runShell, type ShellEnd } from "./runShell.ts"
import { scrubbed, ShellEnvironment } from "./ShellEnvironment.ts"
import * as ShellFolder from "./ShellFolder.ts"
import { bashProgram, lookedAfter } from "./shellProgram.ts"
import { showSize } from "./showSize.ts"

const Input = Schema.Struct({
  command: Schema.String.annotate({ description: "The command line to run with bash" }),
  timeout: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The time limit in milliseconds: 120000 when left out, 600000 at most"
    })
  ),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "What the command does, in a few words, for the person who is asked" })
  ),
  run_in_background: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether to return at once and let the command go on as a task, which TaskOutput shows"
    })
  )
})

/**
 * How a command went, as hooks see it.
 *
 * **Details**
 *
 * `stdout` is standard output and standard error in the order in which they were
 * printed; `stderr` holds what the tool itself has to say. Of an output that is
 * in a file they have both ends: `stdout` and `stdoutTail`. `backgroundTaskId` is
 * there when the command, or a part of it, goes on; its exit code is 0 until it
 * has one.
 *
 * @category models
 * @since 0.1.0
 */
export interface BashValue {
  readonly stdout: string
  readonly stderr: string
  readonly interrupted: boolean
  readonly exitCode: number
  readonly noOutputExpected: boolean
  readonly returnCodeInterpretation?: string
  readonly stdoutTail?: string
  readonly persistedOutputPath?: string
  readonly persistedOutputSize?: number
  readonly backgroundTaskId?: string
  readonly timedOutAfterMs?: number
}

/**
 * Runs a command line in a Bash of its own.
 *
 * **Details**
 *
 * No start-up file is read, and nothing from outside that would change what the
 * line means. What is printed is handed out as progress while it comes. When the
 * call is interrupted, every process of the command is ended. At the time limit
 * it goes on as a task where that makes sense, and is ended otherwise; what it
 * leaves running when it ends is a task as well, or ended where there can be none. An output longer than 30,000
 * characters goes to the result store while it comes.
 *
 * @category tools
 * @since 0.1.0
 */
export const Bash: Tool.Tool<ResultStore | Tasks> = Tool.make({
  name: "Bash",
  origin: "builtin",
  description: "Runs a command line with bash, in the working directory, without standard input. " +
    "Standard output and standard error come back as one text. `cd` stays for the next command, inside the working " +
    "directories; variables don't.",
  input: Input,
  // What the tool says of the output comes on top of the 30,000 characters that the output itself may have.
  maxResultSizeChars: 32_000,
  subject: ({ command }) => ({ _tag: "Shell", command }),
  validateInput: ({ command }) => Effect.succeed(validate(command)),
  handler: Effect.fnUntraced(
    function*(input, context): Effect.fn.Return<BashValue, ToolFailed | ToolTimedOut, ResultStore | Tasks> {
      const wrong = validate(input.command)
      if (wrong._tag === "Refused") return yield* new ToolFailed({ reason: wrong.message })
      return yield* Effect.scoped(runCommand(input, context))
    }
  ),
  render: (value: BashValue) => {
    const { persistedOutputPath, persistedOutputSize, stderr, stdout, stdoutTail } = value
    if (stdoutTail === undefined || persistedOutputPath === undefined || persistedOutputSize === undefined) {
      return joined(stdoutTail === undefined ? stdout : `${stdout}\n…\n${stdoutTail}`, stderr)
    }
    return {
      _tag: "Stored",
      path: persistedOutputPath,
      size: persistedOutputSize,
      head: stdout,
      tail: joined(stdoutTail, stderr)
    }
  }
})

/** The kernel takes no longer argument than this. */
const longestCommand = 131_071

const validate = (command: string): Tool.Validation => {
  if (command.trim() === "") return { _tag: "Refused", message: "`command` is empty", code: 1 }
  if (command.includes("\0")) {
    return { _tag: "Refused", message: "`command` holds a NUL character, which no command line can", code: 2 }
  }
  if (!command.isWellFormed()) return { _tag: "Refused", message: "`command` holds half a character", code: 3 }
  return Buffer.byteLength(command) > longestCommand
    ? { _tag: "Refused", message: `\`command\` is longer than ${longestCommand} bytes; put it into a file`, code: 4 }
    : { _tag: "Valid" }
}

const runCommand = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  context: Tool.ToolContext
): Effect.fn.Return<BashValue, ToolFailed | ToolTimedOut, ResultStore | Scope.Scope | Tasks> {
  const { command, run_in_background: background = false } = input
  const limits = yield* BashLimits
  const environment = scrubbed(yield* ShellEnvironment)
  const store = yield* ResultStore
  const tasks = yield* Tasks
  const { session, standing } = context.call
  const cwd = standing ?? context.call.cwd
  if (background && !limits.background) {
    return yield* new ToolFailed({
      reason: "commands may not run in the background here; leave `run_in_background` out"
    })
  }
  yield* requireFolder(cwd).pipe(
    // A folder that is gone holds nobody for ever.
    Effect.tapError(() => standing === undefined ? Effect.void : context.stood?.(context.call.cwd) ?? Effect.void)
  )

  const limit = timeLimit(input.timeout, limits)
  const text = OutputText.make()
  const keeper = yield* OutputKeeper.make({
    inlineChars: context.maxResultSizeChars ?? limits.inlineChars,
    storedBytes: limits.storedBytes,
    open: store.open(context.call, context.id)
  })
  const keep = ({ settled }: OutputText.Printed) => Effect.forEach(settled, keeper.append, { discard: true })
  const hand = (printed: OutputText.Printed) =>
    Effect.andThen(
      Effect.uninterruptible(keep(printed)),
      context.heard === false || printed.live.length === 0
        ? Effect.void
        : context.progress({ channel: "stdout", text: textOf(printed.live) })
    )

  const leave = context.leave === undefined
    ? Effect.void
    : Effect.andThen(
      Effect.suspend(() => keep(text.end())),
      Effect.map(keeper.end, (kept) => context.leave?.(shownOf(kept, [])))
    )

  const room = yield* tasks.room(session)
  const mayGoOn = () => limits.background && mayGoOnAtLimit(command)
  let task: { readonly id: string; readonly output: string } | undefined
  let problem: string | undefined
  let ended: Effect.Effect<unknown> | undefined
  const goOn = (going: Going): Effect.Effect<boolean> =>
    Effect.gen(function*() {
      if (!limits.background) return false
      if (going.because === "timeout") yield* keep(text.end())
      const before = going.because === "timeout" ? yield* keeper.end : nothing
      task = { id: room.id, output: yield* keepTask({ session, room, command, cwd, before }, going) }
      ended = going.exited
      return true
    }).pipe(
      Effect.provideService(Tasks, tasks),
      Effect.catch((error) => {
        problem = `it could not go on in the background: ${error.message}`
        return Effect.succeed(false)
      })
    )

  const followed: ShellFolder.Followed = background
    ? { command, where: Effect.undefined }
    : yield* ShellFolder.follow(command)
  const sandboxed = yield* Effect.acquireRelease(
    (yield* Sandbox).wrap(context.call, bashProgram(followed.command), followed.folder),
    ({ release }) => ended === undefined ? release : Effect.forkDetach(Effect.andThen(ended, release))
  )
  const { end, left } = yield* runShell({
    program: background || (tasks.outlived && mayGoOn())
      ? lookedAfter(sandboxed.program, room.folder)
      : sandboxed.program,
    cwd,
    environment,
    variable: `TOOLGATE_CALL_${randomUUID().replaceAll("-", "")}`,
    timeoutMillis: limit.millis,
    limits,
    take: (bytes) => hand(text.push(bytes)),
    skimmer: context.heard !== false ? undefined : {
      may: (bytes) => keeper.mayNote(bytes + OutputText.mostHeld),
      take: (bytes) => text.push(bytes).settled.forEach(keeper.note)
    },
    contained: sandboxed.contained,
    background,
    mayGoOn,
    goOn
  }).pipe(Effect.onInterrupt(() => leave))
  if (end._tag === "TimedOut" && background) {
    return yield* new ToolFailed({ reason: problem ?? "the command could not be started in the background" })
  }
  if (end._tag !== "GoesOn") yield* keep(text.end())
  const kept = yield* keeper.end
  const notices = [
    ...limit.notices,
    ...(end._tag === "Exited" ? yield* stands(context, followed) : []),
    ...(sandboxed.notice === undefined ? [] : [sandboxed.notice]),
    ...(sandboxed.refusal !== undefined && isRefused(end, kept) ? [sandboxed.refusal] : []),
    ...(end._tag === "GoesOn" && task !== undefined ? [goesOnNotice(task, background ? undefined : limit.millis)] : []),
    ...leftNotices(left, task, limits),
    ...(problem === undefined ? [] : [problem])
  ]
  return yield* settle(command, end, kept, notices, { limit: limit.millis, limits, task: task?.id, background })
})

/** Where the next command begins: where this one ended, inside the working directories. */
const stands = Effect.fnUntraced(function*(
  { call, stood = () => Effect.void }: Tool.ToolContext,
  followed: ShellFolder.Followed
): Effect.fn.Return<ReadonlyArray<string>> {
  const before = call.standing ?? call.cwd
  const folder = yield* followed.where
  if (folder === undefined) return followed.folder === undefined ? [] : [ShellFolder.unknownNotice(before)]
  if (folder === before) return []
  if (yield* ShellFolder.isInside(folder, call)) {
    yield* stood(folder)
    return []
  }
  if (before !== call.cwd) yield* stood(call.cwd)
  return [ShellFolder.backNotice(folder, call.cwd)]
})

const isRefused = (end: ShellEnd, kept: OutputKeeper.Kept): boolean =>
  end._tag === "Exited" && end.code !== 0 &&
  /Read-only file system|EROFS|Device or resource busy|EBUSY/.test(kept._tag === "Short" ? kept.text : kept.tail)

const nothing: OutputKeeper.Kept = { _tag: "Short", text: "" }

const requireFolder = Effect.fnUntraced(function*(cwd: string): Effect.fn.Return<void, ToolFailed> {
  const found = yield* Effect.mapError(
    fileLook(() => statSync(cwd)),
    (error) => new ToolFailed({ reason: `the working directory ${quoted(cwd)} can't be used: ${error.message}` })
  )
  if (!found.isDirectory()) {
    return yield* new ToolFailed({ reason: `the working directory ${quoted(cwd)} is no folder` })
  }
})

const timeLimit = (
  asked: number | undefined,
  limits: Limits
): { readonly millis: number; readonly notices: ReadonlyArray<string> } => {
  if (asked === undefined) return { millis: limits.timeoutMillis, notices: [] }
  const longest = Math.max(limits.longestTimeoutMillis, limits.timeoutMillis)
  return asked > longest
    ? { millis: longest, notices: [`the time limit was ${longest} ms, the most there is, not ${asked} ms`] }
    : { millis: Math.max(1, asked), notices: [] }
}

interface TaskName {
  readonly id: string
  readonly output: string
}

const goesOnNotice = ({ id, output }: TaskName, afterMillis: number | undefined): string => {
  const how = afterMillis === undefined
    ? "running in the background"
    : `still running after ${afterMillis} ms, so it goes on in the background`
  return `${how} as the task ${quoted(id)}: TaskOutput shows it, TaskStop ends it; what it prints is in ${
    quoted(output)
  }`
}

const leftNotices = (
  left: ReadonlyArray<Entry>,
  task: TaskName | undefined,
  { background }: Limits
): ReadonlyArray<string> => {
  if (left.length === 0) return []
  const some = left.slice(0, 5).map(({ name, pid }) => `${quoted(name)} (process ${pid})`).join(", ")
  const named = left.length > 5 ? `${some} and ${left.length - 5} more` : some
  if (task === undefined) {
    return [
      background
        ? `what was still running was ended: ${named}`
        : `what was still running was ended, since commands may not go on in the background here: ${named}`
    ]
  }
  return [
    `still running in the background: ${named}; TaskOutput shows it and TaskStop ends it as the task ${quoted(task.id)}`
  ]
}

const settle = Effect.fnUntraced(function*(
  command: string,
  end: ShellEnd,
  kept: OutputKeeper.Kept,
  told: ReadonlyArray<string>,
  { background, limit, limits, task }: {
    readonly limit: number
    readonly limits: Limits
    readonly task: string | undefined
    readonly background: boolean
  }
): Effect.fn.Return<BashValue, ToolFailed | ToolTimedOut> {
  const problem = kept._tag === "Long" ? kept.problem : undefined
  const notices = [...told, ...(problem === undefined ? [] : [problem])]
  const failed = (reason: string, exitCode?: number) =>
    new ToolFailed({ reason, ...shownOf(kept, notices), ...(exitCode === undefined ? {} : { exitCode }) })

  if (end._tag === "TimedOut") {
    return yield* new ToolTimedOut({ limitMillis: limit, ...shownOf(kept, notices) })
  }
  if (end._tag === "TooMuch") {
    return yield* failed(`the command was stopped because it printed more than ${showSize(limits.outputBytes)}`)
  }
  if (end._tag === "Signalled") {
    return yield* failed(`the command was ended by ${end.signal}`, codeOfSignal(end.signal))
  }
  const code = end._tag === "GoesOn" ? 0 : end.code
  const meaning = benignMeaning(command, code, kept._tag === "Short" ? kept.text : kept.head)
  if (code !== 0 && meaning === undefined) return yield* failed(failureMeaning(code), code)

  const silent = end._tag !== "GoesOn" && kept._tag === "Short" && kept.text.trim() === ""
  const all = [
    ...(silent ? ["the command printed nothing"] : []),
    ...(meaning === undefined ? [] : [`exit code 1: ${meaning}`]),
    ...notices
  ]
  return {
    stdout: kept._tag === "Short" ? kept.text : kept.head,
    stderr: all.join("\n"),
    interrupted: false,
    exitCode: code,
    noOutputExpected: silent,
    ...(task === undefined ? {} : { backgroundTaskId: task }),
    ...(end._tag === "GoesOn" && !background ? { timedOutAfterMs: limit } : {}),
    ...(meaning === undefined ? {} : { returnCodeInterpretation: meaning }),
    ...(kept._tag === "Short" ? {} : { stdoutTail: kept.tail }),
    ...(kept._tag === "Short" || kept.path === undefined
      ? {}
      : { persistedOutputPath: kept.path, persistedOutputSize: kept.size })
  }
})

const failureChars = 5_000

const shownOf = (
  kept: OutputKeeper.Kept,
  notices: ReadonlyArray<string>
): Tool.Shown => {
  const said = notices.join("\n")
  if (kept._tag === "Short") return { output: joined(kept.text, said) }
  const head = kept.head.slice(0, failureChars).toWellFormed()
  const tail = kept.tail.slice(-failureChars).toWellFormed()
  const output = `${head}\n… ${kept.chars - head.length - tail.length} characters left out …\n${tail}`
  return { output: joined(output, said), ...(kept.path === undefined ? {} : { storedAt: kept.path }) }
}

const joined = (output: string, notices: string): string => {
  const said = notices === "" ? [] : notices.split("\n").map((notice) => `[${notice}]`)
  return [...(output.trim() === "" ? [] : [output.replace(/\n+$/, "")]), ...said].join("\n")
}
