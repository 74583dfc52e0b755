/**
 * Lets a command go on that somebody else listens to from now on.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import { appendFileSync, closeSync } from "node:fs"
import type { Limits } from "./BashLimits.ts"
import type { OutputPipe } from "./OutputPipe.ts"

/**
 * Has what comes out of a pipe appended to a file, by a process that does not
 * end with this one. What was read already and given to nobody goes first. Who
 * prints more than the limit is ended, and the file `tooMuch` is there.
 *
 * **Gotchas**
 *
 * Throws when the file can't be written or nothing can be started.
 *
 * @category running
 * @since 0.1.0
 */
export const handOver = (
  pipe: OutputPipe,
  { file, group, limits, path, tooMuch }: {
    readonly file: string
    readonly tooMuch: string
    readonly group: number
    readonly limits: Pick<Limits, "graceMillis" | "outputBytes" | "storedBytes">
    readonly path: string | undefined
  }
): void => {
  // INVARIANT: all of this happens at once. Nothing is read in between, so that no byte is lost or out of order.
  const rest = pipe.takeAgain()
  if (rest === undefined) return
  try {
    appendFileSync(file, Buffer.concat(pipe.reader.rest()), { mode: 0o600 })
    const blocks = Math.ceil(limits.storedBytes / 512)
    const more = Math.max(0, limits.outputBytes - limits.storedBytes)
    const grace = limits.graceMillis / 1000
    const listener = spawn("sh", ["-c", listening, "sh", file, tooMuch, ...[blocks, more, group, grace].map(String)], {
      detached: true,
      env: path === undefined ? {} : { PATH: path },
      stdio: [rest, "ignore", "ignore"],
      windowsHide: true
    })
    listener.once("error", () => {})
    listener.unref()
  } finally {
    closeSync(rest)
  }
  pipe.reader.close()
}

// The limit of the file is the listener's own; past it, it goes on reading so that nobody has to wait.
const listening = "trap '' XFSZ; ulimit -f \"$3\"; cat >> \"$1\"; head -c \"$4\" > /dev/null; " +
  "[ \"$(head -c 1 | wc -c)\" -eq 0 ] && exit; " +
  ": > \"$2\"; kill -s TERM -- \"-$5\"; sleep \"$6\"; kill -s KILL -- \"-$5\"; exec cat > /dev/null"
