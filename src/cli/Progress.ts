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
 * `clear` takes away what was only there for the moment.
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress {
  readonly show: (channel: "stdout" | "stderr" | "message", text: string) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

/**
 * Chooses how progress is shown.
 *
 * **Details**
 *
 * The result holds what the tool wrote, so that progress beside it is read twice
 * where both end up before the same eyes. A terminal has one line that changes
 * and goes away before the result comes. A file or a pipe gets all of it, unless
 * it gets the result as well, as with `2>&1`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<Progress> = Effect.suspend(() =>
  process.stderr.isTTY
    ? Effect.succeed(process.env["TERM"] === "dumb" ? silent : passing())
    : Effect.map(write.sameStream, (same) => same ? silent : whole)
)

const silent: Progress = { show: () => Effect.void, clear: Effect.void }

const whole: Progress = {
  show: (channel, text) => write.err(channel === "message" && !text.endsWith("\n") ? `${text}\n` : text),
  clear: Effect.void
}

const passing = (): Progress => {
  let pending = ""
  let shown = false
  return {
    show: (_, text) =>
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
