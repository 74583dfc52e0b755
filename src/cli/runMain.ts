/**
 * Runs the program and ends the process: with the exit code that tells how it
 * went, one line for what went wrong, and no stack trace.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Runtime from "effect/Runtime"
import { Ended, Misused } from "./Ended.ts"
import { line } from "./line.ts"
import * as Stop from "./Stop.ts"
import * as write from "./write.ts"

/**
 * Runs an effect as the whole program.
 *
 * **Details**
 *
 * A signal interrupts the program, unless the work under way ends by itself.
 * Output that nobody reads any more counts as a signal, too.
 *
 * @category running
 * @since 0.1.0
 */
export const runMain = (program: Effect.Effect<void, unknown>): void => run(program, { disableErrorReporting: true })

const run = Runtime.makeRunMain(({ fiber }) => {
  const stop = (signal: Stop.StopSignal) => {
    if (!Stop.request(signal)) fiber.interruptUnsafe(fiber.id)
  }
  process.on("SIGINT", stop).on("SIGTERM", stop)
  write.onBroken(() => stop("SIGPIPE"))
  fiber.addObserver((exit) => {
    // By then there is only output left, which whoever tells us to stop need not wait for.
    const leave = () => process.exit(Stop.exitCode())
    process.on("SIGINT", leave).on("SIGTERM", leave)
    Effect.runFork(Effect.map(ending(exit), (code) => process.exit(code)))
  })
})

const ending = Effect.fnUntraced(function*(exit: Exit.Exit<unknown, unknown>) {
  const { code, message } = judge(exit)
  if (message !== undefined) yield* write.err(line(message))
  // What was written before is out when this is known; a reader that is gone has us end all the same.
  const lost = yield* write.lost
  if (lost === undefined || codeOf(lost) === "EPIPE") return code
  yield* write.err(line(`standard output can't be written to (${codeOf(lost)})`))
  // INVARIANT: an answer that nobody got is none. Whoever asked as a hook goes on after any code but 2.
  return code === 0 || code === Stop.brokenPipe ? 2 : code
})

interface Judged {
  readonly code: number
  readonly message?: string
}

const judge = (exit: Exit.Exit<unknown, unknown>): Judged => {
  if (Exit.isSuccess(exit)) return { code: 0 }
  if (Cause.hasInterruptsOnly(exit.cause)) return { code: Stop.exitCode() }
  const error = Cause.squash(exit.cause)
  if (error instanceof Ended) return { code: error.code }
  if (error instanceof Misused) return { code: 2, message: error.message }
  if (Predicate.hasProperty(error, "syscall") && error.syscall === "uv_cwd") {
    return { code: 2, message: "the working directory is not there any more, change to one that is" }
  }
  const details = (process.env["TOOLGATE_DEBUG"] ?? "") === ""
    ? `${nameOf(error)}, set TOOLGATE_DEBUG=1 to see more`
    : Cause.pretty(exit.cause)
  return { code: 70, message: `internal error: ${details}` }
}

const codeOf = (error: Error): string => "code" in error ? String(error.code) : error.name

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag)
    ? error._tag
    : error instanceof Error
    ? error.name
    : typeof error
