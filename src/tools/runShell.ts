/**
 * Runs one command line in a Bash of its own, and leaves nothing of it behind
 * that nobody knows of.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type ChildProcess, spawn } from "node:child_process"
import { ToolFailed } from "../errors/ExecuteError.ts"
import type { Limits } from "./BashLimits.ts"
import { endProcesses } from "./endProcesses.ts"
import { handOver } from "./handOver.ts"
import * as OutputPipe from "./OutputPipe.ts"
import * as OutputReader from "./OutputReader.ts"
import * as ProcessTable from "./ProcessTable.ts"

/**
 * How a shell ended by itself.
 *
 * @category models
 * @since 0.1.0
 */
export type ShellExit =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: string }

/**
 * How a command ended, or that it goes on without us.
 *
 * @category models
 * @since 0.1.0
 */
export type ShellEnd =
  | ShellExit
  | { readonly _tag: "TimedOut" }
  | { readonly _tag: "TooMuch" }
  | { readonly _tag: "GoesOn" }

/**
 * A command, or what it left, that is to go on when its call is over.
 *
 * **Details**
 *
 * - `exited`: how its shell ends. Only this process hears of it.
 * - `printInto`: has what it prints appended to a file from now on. When it
 *   prints more than it may it is ended, and an empty file says so.
 *
 * @category models
 * @since 0.1.0
 */
export interface Going {
  readonly because: "asked" | "timeout" | "left"
  readonly family: ProcessTable.Family
  readonly exited: Effect.Effect<ShellExit>
  readonly printInto: (file: string, tooMuch: string) => Effect.Effect<void, ToolFailed>
}

/**
 * What is to run, and who takes what it prints.
 *
 * **Details**
 *
 * - `program`: what is started, with its arguments.
 * - `take`: gets what is printed, piece by piece, but for what `skimmer` may:
 *   most of a gigabyte needs no more than a look, and a fiber that wakes up for
 *   each piece takes memory. There is none while somebody listens.
 * - `variable`: one that no other command has: its processes are known by it.
 * - `contained`: when the shell ends, all that it left is ended without us.
 * - `background`: the command goes on at once.
 * - `mayGoOn`: whether it goes on when its time is up.
 * - `goOn`: takes what goes on, and says whether it did. What nobody takes is
 *   ended.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShellRun {
  readonly program: readonly [file: string, ...args: ReadonlyArray<string>]
  readonly cwd: string
  readonly environment: { readonly [name: string]: string }
  readonly variable: string
  readonly timeoutMillis: number
  readonly limits: Limits
  readonly take: (bytes: Uint8Array) => Effect.Effect<void>
  readonly skimmer: OutputReader.Skimmer | undefined
  readonly contained: boolean
  readonly background: boolean
  readonly mayGoOn: () => boolean
  readonly goOn: (going: Going) => Effect.Effect<boolean>
}

/**
 * Runs the command. Gives how it ended, and the processes that it left running:
 * `kept` when somebody looks after them, and ended when nobody does.
 *
 * **Details**
 *
 * Bash reads no start-up file and gets no standard input. The command has a
 * session of its own; at its time limit, at the limit of its output and on
 * interruption all its processes are ended and waited for. What it prints is
 * taken piece by piece, and it waits while nobody takes. Output of processes
 * that outlive the shell is waited for a moment only.
 *
 * @category running
 * @since 0.1.0
 */
export const runShell = (options: ShellRun): Effect.Effect<ShellResult, ToolFailed> =>
  Effect.acquireUseRelease(
    start(options),
    (shell) => Effect.flatMap(untilEnd(options, shell), (end) => leave(options, shell, end)),
    (shell, exit) =>
      Effect.ensuring(
        Exit.isSuccess(exit) ? Effect.void : endProcesses(shell.family, options.limits.graceMillis),
        Effect.sync(() => {
          for (const output of shell.outputs) output.close()
        })
      )
  )

/**
 * @category models
 * @since 0.1.0
 */
export interface ShellResult {
  readonly end: ShellEnd
  readonly left: ReadonlyArray<ProcessTable.Entry>
  readonly kept: boolean
}

interface Shell {
  readonly family: ProcessTable.Family
  readonly pipe: OutputPipe.OutputPipe | undefined
  readonly outputs: ReadonlyArray<OutputReader.OutputReader>
  readonly exited: Deferred.Deferred<ShellExit>
}

const start = Effect.fnUntraced(function*(options: ShellRun): Effect.fn.Return<Shell, ToolFailed> {
  const made = yield* Effect.option(OutputPipe.make)
  const pipe = made._tag === "Some" ? made.value : undefined
  const exited = Deferred.makeUnsafe<ShellExit>()
  const { child, pid } = yield* spawned(options, pipe?.into ?? "pipe", exited).pipe(
    Effect.ensuring(Effect.sync(() => pipe?.closeInto())),
    Effect.onError(() => Effect.sync(() => pipe?.reader.close()))
  )
  const outputs = pipe === undefined
    ? [child.stdout, child.stderr].flatMap((stream) => stream === null ? [] : [OutputReader.fromStream(stream)])
    : [pipe.reader]
  child.once("exit", () => {
    for (const output of outputs) output.wake()
  })
  return {
    family: ProcessTable.familyOf(pid, { variable: options.variable, pipe: pipe?.path }),
    pipe,
    outputs,
    exited
  }
})

const spawned = (
  options: ShellRun,
  into: number | "pipe",
  exited: Deferred.Deferred<ShellExit>
): Effect.Effect<{ readonly child: ChildProcess; readonly pid: number }, ToolFailed> =>
  Effect.callback((resume) => {
    const [file, ...args] = options.program
    const fail = (cause: unknown) =>
      resume(Effect.fail(new ToolFailed({ reason: `${file} could not be started${whyNot(cause)}`, cause })))
    const tried = Result.try(() =>
      spawn(file, args, {
        cwd: options.cwd,
        env: { ...options.environment, [options.variable]: "1" },
        detached: true,
        stdio: ["ignore", into, into],
        windowsHide: true
      })
    )
    // Node throws some of the system's refusals and emits the others.
    if (Result.isFailure(tried)) return fail(tried.failure)
    const child = tried.success
    child.once("error", fail)
    // INVARIANT: a family has a number, since signals to group 0 would reach ourselves.
    child.once("spawn", () =>
      child.pid === undefined ? fail(undefined) : resume(Effect.succeed({ child, pid: child.pid })))
    child.once("exit", (code, signal) => {
      const end: ShellExit = signal === null ? { _tag: "Exited", code: code ?? 0 } : { _tag: "Signalled", signal }
      Deferred.doneUnsafe(exited, Effect.succeed(end))
    })
  })

const whyNot = (cause: unknown): string => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "ENOENT") return ": there is no such program on the `PATH`"
  return code === "E2BIG" ? ": the command and the environment together are too long" : ""
}

const untilEnd = Effect.fnUntraced(function*(options: ShellRun, shell: Shell): Effect.fn.Return<ShellEnd> {
  if (options.background) {
    if (yield* handed(options, shell, "asked")) return { _tag: "GoesOn" }
    yield* Effect.uninterruptible(endProcesses(shell.family, options.limits.graceMillis))
    return { _tag: "TimedOut" }
  }
  const tooMuch = yield* Deferred.make<ShellEnd>()
  const pump = yield* Effect.forkChild(pumpAll(options, shell, tooMuch))
  const finished = Effect.andThen(Fiber.join(pump), Deferred.await(shell.exited))
  // What they had printed by then is still in the pipe.
  const endAll = Effect.andThen(
    Effect.uninterruptible(endProcesses(shell.family, options.limits.graceMillis)),
    Effect.andThen(Effect.timeoutOption(Fiber.await(pump), lastOutputMillis), Fiber.interrupt(pump))
  )
  const end = yield* Effect.timeoutOrElse(Effect.raceFirst(finished, Deferred.await(tooMuch)), {
    duration: options.timeoutMillis,
    orElse: () => Effect.succeed<ShellEnd>({ _tag: "TimedOut" })
  }).pipe(Effect.onInterrupt(() => endAll))
  if (end._tag === "Exited" || end._tag === "Signalled") return end

  // A shell that ended in time is not blamed for those who are slow to take its output.
  if (end._tag === "TimedOut" && Deferred.isDoneUnsafe(shell.exited)) return yield* Deferred.await(shell.exited)
  if (end._tag === "TimedOut" && options.mayGoOn()) {
    yield* Fiber.interrupt(pump)
    if (yield* handed(options, shell, "timeout")) return { _tag: "GoesOn" }
  }
  yield* endAll
  return end
})

const leave = Effect.fnUntraced(function*(
  options: ShellRun,
  shell: Shell,
  end: ShellEnd
): Effect.fn.Return<ShellResult> {
  if (options.contained && end._tag !== "GoesOn") {
    // They are as good as gone, and must not be taken for what was left on purpose.
    for (let waited = 0; waited < goneMillis && leftBy(shell).length > 0; waited += 10) yield* Effect.sleep(10)
  }
  const left = end._tag === "GoesOn" ? [] : leftBy(shell)
  if (left.length === 0) return { end, left, kept: false }
  const kept = yield* handed(options, shell, "left")
  if (!kept) yield* Effect.uninterruptible(endProcesses(shell.family, options.limits.graceMillis))
  return { end, left, kept }
})

const goneMillis = 1_000

/** Half of it done would be a command that nobody knows, or one that nobody listens to. */
const handed = (
  { environment, goOn, limits }: ShellRun,
  { exited, family, pipe }: Shell,
  because: Going["because"]
): Effect.Effect<boolean> =>
  pipe === undefined ? Effect.succeed(false) : Effect.uninterruptible(goOn({
    because,
    family,
    exited: Deferred.await(exited),
    printInto: (file, tooMuch) =>
      Effect.try({
        try: () => handOver(pipe, { file, tooMuch, family, limits, path: environment["PATH"] }),
        catch: (cause) => new ToolFailed({ reason: "what it prints can't be kept", cause })
      })
  }))

const lastOutputMillis = 1_000

/** What a pipe and our own buffer can still hold when the shell has ended, and some more. */
const bytesAfterEnd = 1024 * 1024

const pumpAll = (options: ShellRun, shell: Shell, tooMuch: Deferred.Deferred<ShellEnd>): Effect.Effect<void> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let total = 0
  let afterEnd = 0

  const fits = (bytes: Uint8Array): boolean => {
    total += bytes.length
    return total <= options.limits.outputBytes
  }
  const { skimmer } = options
  const counting = skimmer === undefined ? undefined : {
    may: (bytes: number) => total + bytes <= options.limits.outputBytes && skimmer.may(bytes),
    take: (bytes: Uint8Array) => {
      total += bytes.length
      skimmer.take(bytes)
    }
  }

  const pump = Effect.fnUntraced(function*(output: OutputReader.OutputReader): Effect.fn.Return<void> {
    const next = output.next(shell.pipe === undefined ? undefined : counting)
    const last = Effect.timeoutOrElse(output.next(), {
      duration: options.limits.drainMillis,
      orElse: () => Effect.undefined
    })
    while (true) {
      const over = Deferred.isDoneUnsafe(shell.exited)
      const bytes = yield* over ? last : next
      if (bytes === undefined) break
      if (!fits(bytes)) {
        yield* Deferred.succeed(tooMuch, { _tag: "TooMuch" })
        return
      }
      yield* oneAtATime.withPermit(Effect.suspend(() => {
        output.taken()
        return options.take(bytes)
      }))
      if (over) {
        afterEnd += bytes.length
        if (afterEnd > bytesAfterEnd) break
      }
    }
    // Somebody may close the pipe and go on.
    yield* Deferred.await(shell.exited)
  })

  // One after the other where there is one: that takes no fiber of its own.
  return Effect.forEach(shell.outputs, pump, { concurrency: shell.outputs.length, discard: true })
}

const leftBy = ({ family }: Shell): ReadonlyArray<ProcessTable.Entry> => ProcessTable.descendants(family)
