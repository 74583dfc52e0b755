/**
 * Shows on standard error what a tool says while it runs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { oneLine } from "./line.ts"
import * as write from "./write.ts"

/**
 * Where progress goes.
 *
 * **Details**
 *
 * `clear` takes away what was only there for the moment. Where progress is not
 * shown, nobody needs to make any.
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress {
  readonly isShown: boolean
  readonly show: (text: string) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

/**
 * Chooses how progress is shown.
 *
 * **Details**
 *
 * The result holds what the tool wrote, so a terminal has one line of it that
 * changes, and goes away before the result comes. A file or a pipe gets nothing:
 * whoever wants to read along takes `--output stream-json`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<Progress> = Effect.sync(() =>
  process.stderr.isTTY && process.env["TERM"] !== "dumb" ? passing() : silent
)

const silent: Progress = { isShown: false, show: () => Effect.void, clear: Effect.void }

const passing = (): Progress => {
  let pending = ""
  let shown = false
  return {
    isShown: true,
    show: (text) =>
      Effect.suspend(() => {
        // Only the last line is seen, so only the last line is kept.
        pending = (pending + text).split(/[\r\n]+(?=[^\r\n])/).at(-1)?.slice(-1000) ?? ""
        shown = true
        const columns = Math.max(process.stderr.columns ?? 80, 20)
        return write.err(`\r\u001B[2K${oneLine(pending, columns - 5)}`)
      }),
    clear: Effect.suspend(() => {
      if (!shown) return Effect.void
      shown = false
      return write.err("\r\u001B[2K")
    })
  }
}
