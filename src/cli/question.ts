/**
 * The next question of the person at the terminal.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"

/**
 * Reads a line. Undefined once there will be none: at Ctrl-D, and at Ctrl-C.
 *
 * @category reading
 * @since 0.1.0
 */
export const question: Effect.Effect<string | undefined> = Effect.callback((resume) => {
  // A terminal that went away is told of by the reader, too.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {})
  const reader = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 })
  const finish = (text: string | undefined) => {
    reader.off("close", onClose).close()
    resume(Effect.succeed(text))
  }
  const onClose = () => {
    process.stderr.write("\n")
    finish(undefined)
  }
  reader.on("close", onClose).on("SIGINT", () => reader.close())
  reader.question("> ", (text) => finish(text.trim()))
  return Effect.sync(() => reader.off("close", onClose).close())
})
