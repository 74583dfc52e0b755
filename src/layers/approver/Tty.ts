/**
 * The terminal that a person sits at, opened by itself: standard input may be a
 * pipe and standard output a file, and the person can still be asked.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Terminal from "effect/Terminal"
import * as fs from "node:fs"
import * as readline from "node:readline"
import * as tty from "node:tty"

/**
 * How reading keys came to an end: Ctrl-C, Escape or Ctrl-D, or the terminal is
 * gone.
 *
 * @category models
 * @since 0.1.0
 */
export type Ending = "cancelled" | "declined" | "gone"

/**
 * A terminal in raw mode, for one question.
 *
 * **Details**
 *
 * `terminal` is what prompts read from and write to. `ending` says why its keys
 * ended, once they did.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tty {
  readonly terminal: Terminal.Terminal
  readonly ending: () => Ending
}

/**
 * Opens the controlling terminal, or whatever terminal the standard streams
 * are. Nothing when there is none. Closing the scope restores it.
 *
 * **Details**
 *
 * `touched` runs before the first key is handed on. Keys that were typed before
 * the terminal was opened answered some other question: they are dropped.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = Effect.fnUntraced(function*(
  touched: Effect.Effect<void>
): Effect.fn.Return<Tty | undefined, never, Scope.Scope> {
  const streams = yield* Effect.acquireRelease(acquire, (streams) => Effect.sync(() => streams?.close()))
  if (streams === undefined) return undefined

  let ending: Ending = "gone"
  const keys = yield* readKeys(streams.input)
  const wanted = yield* Queue.make<Terminal.UserInput, Cause.Done>()

  yield* Effect.sleep(settling)
  yield* Queue.clear(keys)
  yield* Effect.gen(function*() {
    let first = true
    while (true) {
      const key = yield* Queue.take(keys)
      if (first) yield* touched
      first = false
      const end = endingOf(key)
      if (end !== undefined) {
        ending = end
        return
      }
      yield* Queue.offer(wanted, key)
    }
  }).pipe(Effect.ignore, Effect.ensuring(Queue.end(wanted)), Effect.forkScoped)

  const { output } = streams
  return {
    ending: () => ending,
    terminal: Terminal.make({
      columns: Effect.sync(() => output.columns || 80),
      rows: Effect.sync(() => output.rows || 24),
      size: Effect.flatMap(
        Queue.make<Terminal.Size, Cause.Done>(),
        (sizes) => Effect.as(Queue.offer(sizes, { columns: output.columns || 80, rows: output.rows || 24 }), sizes)
      ),
      readInput: Effect.succeed(wanted),
      readLine: Effect.fail(new Terminal.QuitError({})),
      // A terminal that can't be written to any more is about to end its keys, too.
      display: (text) => Effect.callback((resume) => void output.write(text, () => resume(Effect.void)))
    })
  }
})

const settling = Duration.millis(50)

interface Streams {
  readonly input: tty.ReadStream
  readonly output: tty.WriteStream
  readonly close: () => void
}

const acquire: Effect.Effect<Streams | undefined> = Effect.try({ try: () => controlling(), catch: () => undefined })
  .pipe(Effect.orElseSucceed(() => standard()))

/** The terminal of this process, whatever its standard streams are. */
const controlling = (): Streams => {
  const input = new tty.ReadStream(fs.openSync("/dev/tty", "r"))
  const output = new tty.WriteStream(fs.openSync("/dev/tty", "w"))
  // A terminal that hangs up fails reads and writes; both show as the end of its keys.
  input.on("error", () => input.destroy())
  output.on("error", () => output.destroy())
  return {
    input,
    output,
    close: () => {
      input.destroy()
      output.destroy()
    }
  }
}

const standard = (): Streams | undefined => {
  const { stderr, stdin, stdout } = process
  const output = stderr.isTTY ? stderr : stdout
  return stdin.isTTY && output.isTTY ? { input: stdin, output, close: () => void stdin.pause() } : undefined
}

const readKeys = (
  input: tty.ReadStream
): Effect.Effect<Queue.Dequeue<Terminal.UserInput, Cause.Done>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const keys = yield* Queue.make<Terminal.UserInput, Cause.Done>()
    const onKey = (text: string | undefined, key: readline.Key) => {
      Queue.offerUnsafe(keys, {
        input: Option.fromUndefinedOr(text),
        key: { name: key.name ?? "", ctrl: key.ctrl ?? false, meta: key.meta ?? false, shift: key.shift ?? false }
      })
    }
    const onEnd = () => {
      Queue.endUnsafe(keys)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        const lines = readline.createInterface({ input, escapeCodeTimeout: 50 })
        readline.emitKeypressEvents(input, lines)
        input.on("keypress", onKey).once("end", onEnd).once("close", onEnd).setRawMode(true)
        return lines
      }),
      (lines) =>
        Effect.sync(() => {
          input.off("keypress", onKey).off("end", onEnd).off("close", onEnd)
          lines.close()
          if (!input.destroyed) input.setRawMode(false)
        })
    )
    return keys
  })

const endingOf = ({ key }: Terminal.UserInput): Ending | undefined => {
  if (key.ctrl && key.name === "c") return "cancelled"
  return key.name === "escape" || (key.ctrl && key.name === "d") ? "declined" : undefined
}
