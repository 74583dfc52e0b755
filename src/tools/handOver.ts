/**
 * Lets a command go on that somebody else listens to from now on.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import { appendFileSync, closeSync } from "node:fs"
import type { OutputPipe } from "./OutputPipe.ts"

/**
 * Has what comes out of a pipe appended to a file, by a process that does not
 * end with this one. What was read already and given to nobody goes first.
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
  file: string,
  options: {
    readonly storedBytes: number
    readonly path: string | undefined
  }
): void => {
  // INVARIANT: all of this happens at once. Nothing is read in between, so that no byte is lost or out of order.
  const rest = pipe.takeAgain()
  if (rest === undefined) return
  try {
    appendFileSync(file, Buffer.concat(pipe.reader.rest()), { mode: 0o600 })
    const blocks = Math.ceil(options.storedBytes / 512)
    const listener = spawn("sh", ["-c", listening, "sh", file, String(blocks)], {
      detached: true,
      env: options.path === undefined ? {} : { PATH: options.path },
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

/** The limit is the listener's own; past it, it goes on reading so that nobody has to wait. */
const listening = "trap '' XFSZ; ulimit -f \"$2\"; cat >> \"$1\"; exec cat > /dev/null"
