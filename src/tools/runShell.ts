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
import type { Readable } from "node:stream"
import { ToolFailed } from "../errors/ExecuteError.ts"
import type { Limits } from "./BashLimits.ts"
import { endProcesses } from "./endProcesses.ts"
import { fileStep } from "./fileStep.ts"
import * as OutputPipe from "./OutputPipe.ts"
import * as ProcessTable from "./ProcessTable.ts"

/**
 * How a command ended.
 *
 * @category models
 * @since 0.1.0
 */
export type ShellEnd =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: string }
  | { readonly _tag: "TimedOut" }
  | { readonly _tag: "TooMuch" }

/**
 * What is to run, and who takes what it prints.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShellRun {
  readonly command: string
  readonly cwd: string
  readonly environment: { readonly [name: string]: string }
  /** A variable that no other command has: its processes are known by it. */
  readonly variable: string
  readonly timeoutMillis: number
  readonly limits: Limits
  readonly take: (bytes: Uint8Array) => Effect.Effect<void>
}

/**
 * Runs the command. Gives how it ended, and the processes that it left running.
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
export const runShell = (
  options: ShellRun
): Effect.Effect<{ readonly end: ShellEnd; readonly left: ReadonlyArray<ProcessTable.Entry> }, ToolFailed> =>
  Effect.acquireUseRelease(
    start(options),
    (shell) => Effect.map(untilEnd(options, shell), (end) => ({ end, left: leftBy(shell) })),
    (shell, exit) =>
      Exit.isSuccess(exit)
        ? Effect.sync(() => letGo(shell, exit.value.left.length > 0))
        : Effect.ensuring(
          endProcesses(shell.family, options.limits.graceMillis),
          Effect.sync(() => letGo(shell, false))
        )
  )

interface Shell {
  readonly family: ProcessTable.Family
  readonly outputs: ReadonlyArray<Readable>
  readonly exited: Deferred.Deferred<ShellEnd>
}

const start = Effect.fnUntraced(function*(options: ShellRun): Effect.fn.Return<Shell, ToolFailed> {
  const pipe = yield* Effect.option(OutputPipe.make)
  const into = pipe._tag === "Some" ? pipe.value.into.fd : "pipe"
  const exited = Deferred.makeUnsafe<ShellEnd>()
  const { child, pid } = yield* spawned(options, into, exited).pipe(
    Effect.ensuring(pipe._tag === "Some" ? Effect.ignore(fileStep(() => pipe.value.into.close())) : Effect.void),
    Effect.onError(() => Effect.sync(() => pipe._tag === "Some" && pipe.value.out.destroy()))
  )
  const outputs = pipe._tag === "Some" ? [pipe.value.out] : [child.stdout, child.stderr].filter(isReadable)
  const signs = { variable: options.variable, pipe: pipe._tag === "Some" ? pipe.value.path : undefined }
  return { family: ProcessTable.familyOf(pid, signs), outputs, exited }
})

const isReadable = (stream: Readable | null): stream is Readable => stream !== null

const spawned = (
  options: ShellRun,
  into: number | "pipe",
  exited: Deferred.Deferred<ShellEnd>
): Effect.Effect<{ readonly child: ChildProcess; readonly pid: number }, ToolFailed> =>
  Effect.callback((resume) => {
    const fail = (cause: unknown) =>
      resume(Effect.fail(new ToolFailed({ reason: `bash could not be started${whyNot(cause)}`, cause })))
    const tried = Result.try(() =>
      spawn("bash", ["--norc", "--noprofile", "-c", options.command], {
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
      const end: ShellEnd = signal === null ? { _tag: "Exited", code: code ?? 0 } : { _tag: "Signalled", signal }
      Deferred.doneUnsafe(exited, Effect.succeed(end))
    })
  })

const whyNot = (cause: unknown): string => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "ENOENT") return ": there is no such program on the `PATH`"
  return code === "E2BIG" ? ": the command and the environment together are too long" : ""
}

const untilEnd = Effect.fnUntraced(function*(options: ShellRun, shell: Shell): Effect.fn.Return<ShellEnd> {
  const tooMuch = yield* Deferred.make<ShellEnd>()
  const pump = yield* Effect.forkChild(pumpAll(options, shell, tooMuch))
  const finished = Effect.andThen(Fiber.join(pump), Deferred.await(shell.exited))
  const end = yield* Effect.timeoutOrElse(Effect.raceFirst(finished, Deferred.await(tooMuch)), {
    duration: options.timeoutMillis,
    orElse: () => Effect.succeed<ShellEnd>({ _tag: "TimedOut" })
  })
  if (end._tag === "Exited" || end._tag === "Signalled") return end

  // A shell that ended in time is not blamed for those who are slow to take its output.
  if (end._tag === "TimedOut" && Deferred.isDoneUnsafe(shell.exited)) return yield* Deferred.await(shell.exited)
  yield* Effect.uninterruptible(endProcesses(shell.family, options.limits.graceMillis))
  yield* Effect.timeoutOption(Fiber.await(pump), lastOutputMillis)
  yield* Fiber.interrupt(pump)
  return end
})

const lastOutputMillis = 1_000

/** What a pipe and our own buffer can still hold when the shell has ended, and some more. */
const bytesAfterEnd = 1024 * 1024

const pumpAll = (options: ShellRun, shell: Shell, tooMuch: Deferred.Deferred<ShellEnd>): Effect.Effect<void> => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  let total = 0
  let afterEnd = 0

  const pump = Effect.fnUntraced(function*(output: Readable): Effect.fn.Return<void> {
    const next = source(output)
    const idle = Effect.as(
      Effect.andThen(Deferred.await(shell.exited), Effect.sleep(options.limits.drainMillis)),
      undefined
    )
    while (true) {
      const bytes = yield* Effect.raceFirst(next, idle)
      if (bytes === undefined) break
      total += bytes.length
      if (total > options.limits.outputBytes) {
        yield* Deferred.succeed(tooMuch, { _tag: "TooMuch" })
        return
      }
      yield* oneAtATime.withPermit(options.take(bytes))
      if (Deferred.isDoneUnsafe(shell.exited)) {
        afterEnd += bytes.length
        if (afterEnd > bytesAfterEnd) break
      }
    }
    // Somebody may close the pipe and go on.
    yield* Deferred.await(shell.exited)
  })

  return Effect.forEach(shell.outputs, pump, { concurrency: "unbounded", discard: true })
}

/** The next piece of a stream, or nothing at its end. The stream reads ahead no more than its buffer holds. */
const source = (stream: Readable): Effect.Effect<Uint8Array | undefined> => {
  let wake = () => {}
  let ended = false
  const end = () => {
    ended = true
    wake()
  }
  stream.on("readable", () => wake())
  stream.on("end", end)
  stream.on("close", end)
  stream.on("error", end)
  return Effect.callback((resume) => {
    const attempt = () => {
      // A stream without an encoding gives bytes; its type says anything.
      const bytes = stream.read() as Uint8Array | null
      if (bytes === null && !ended) return
      wake = () => {}
      resume(Effect.succeed(bytes ?? undefined))
    }
    wake = attempt
    attempt()
    return Effect.sync(() => {
      wake = () => {}
    })
  })
}

/** Only told to the model, so the few with later numbers than the shell's are enough to look at. */
const leftBy = ({ family }: Shell): ReadonlyArray<ProcessTable.Entry> => ProcessTable.members(family, family.group)

/** Whoever still prints may go on, unheard. */
const letGo = (shell: Shell, someoneIsLeft: boolean): void => {
  for (const output of shell.outputs) {
    if (!someoneIsLeft) {
      output.destroy()
      continue
    }
    output.removeAllListeners()
    output.on("error", () => {})
    output.resume()
    if ("unref" in output && typeof output.unref === "function") output.unref()
  }
}
