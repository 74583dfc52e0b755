/**
 * Being told to stop from outside: by Ctrl-C, by `kill`, or because nobody reads
 * the output any more.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/**
 * What told us to stop.
 *
 * @category models
 * @since 0.1.0
 */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGPIPE"

/**
 * Runs work that ends by itself once it is told to stop, as a call does that
 * still owes its result. All other work is interrupted.
 *
 * **Details**
 *
 * `stopped` succeeds at the first signal and says who wants it. The second
 * interrupts after all.
 *
 * @category running
 * @since 0.1.0
 */
export const finishing = <A, E, R>(
  work: (stopped: Effect.Effect<"cancelled" | "interrupted">) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const stopped = Deferred.makeUnsafe<"cancelled" | "interrupted">()
      finisher = stopped
      if (first !== undefined) Deferred.doneUnsafe(stopped, how(first))
      return stopped
    }),
    (stopped) => work(Deferred.await(stopped)),
    () =>
      Effect.sync(() => {
        finisher = undefined
      })
  )

/**
 * Takes note of a signal. False when nobody ends by themselves, so that the
 * program has to be interrupted.
 *
 * @category running
 * @since 0.1.0
 */
export const request = (signal: StopSignal): boolean => {
  const again = first !== undefined
  first ??= signal
  if (finisher === undefined || (again && signal !== "SIGPIPE")) return false
  Deferred.doneUnsafe(finisher, how(signal))
  return true
}

/**
 * Forgets a Ctrl-C that has ended what it was meant for, so that the program goes
 * on. False, and nothing is forgotten, where a program wants ours to end.
 *
 * @category running
 * @since 0.1.0
 */
export const forget = (): boolean => {
  if (first !== undefined && first !== "SIGINT") return false
  first = undefined
  return true
}

/**
 * The exit code of a program that was stopped: 128 and the number of the signal.
 *
 * @category getters
 * @since 0.1.0
 */
export const exitCode = (): number => codes[first ?? "SIGINT"]

/**
 * The exit code of a program whose output nobody takes any more.
 *
 * @category constants
 * @since 0.1.0
 */
export const brokenPipe = 141

/** Ctrl-C is a person at the terminal; the others are programs. */
const how = (signal: StopSignal): Effect.Effect<"cancelled" | "interrupted"> =>
  Effect.succeed(signal === "SIGINT" ? "interrupted" : "cancelled")

const codes: { readonly [signal in StopSignal]: number } = { SIGINT: 130, SIGPIPE: brokenPipe, SIGTERM: 143 }

// Signals come to the process, so what came is known to the process.
let first: StopSignal | undefined
let finisher: Deferred.Deferred<"cancelled" | "interrupted"> | undefined
