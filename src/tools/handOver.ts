/**
 * Lets a command go on that somebody else listens to from now on.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import { appendFileSync, closeSync } from "node:fs"
import type { Limits } from "./BashLimits.ts"
import { endingScript } from "./endingScript.ts"
import type { OutputPipe } from "./OutputPipe.ts"
import type { Family } from "./ProcessTable.ts"

/**
 * Has what comes out of a pipe appended to a file, by a process that does not
 * end with this one. What was read already and given to nobody goes first. Who
 * prints more than the limit is ended, all of it, and the file `tooMuch` is there.
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
  { family, file, limits, path, tooMuch }: {
    readonly file: string
    readonly tooMuch: string
    readonly family: Family
    readonly limits: Pick<Limits, "graceMillis" | "outputBytes" | "storedBytes">
    readonly path: string | undefined
  }
): void => {
  // INVARIANT: all of this happens at once. Nothing is read in between, so that no byte is lost or out of order.
  const rest = pipe.takeAgain()
  if (rest === undefined) return
  try {
    appendFileSync(file, Buffer.concat(pipe.reader.rest()), { mode: 0o600 })
    const given = [
      file,
      tooMuch,
      Math.ceil(limits.storedBytes / 512),
      Math.max(0, limits.outputBytes - limits.storedBytes),
      family.group,
      family.since,
      family.variable,
      limits.graceMillis / 1000
    ]
    const listener = spawn("sh", ["-c", listening, "sh", ...given.map(String)], {
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
const listening = `
file=$1 too_much=$2 blocks=$3 more=$4 group=$5 since=$6 variable=$7 grace=$8
trap '' XFSZ
ulimit -f "$blocks"
cat >> "$file"
head -c "$more" > /dev/null
[ "$(head -c 1 | wc -c)" -eq 0 ] && exit
: > "$too_much"
${endingScript}
exec cat > /dev/null
`
