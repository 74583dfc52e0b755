/**
 * Ends what a program started along with it.
 *
 * @since 0.1.0
 */
import type { ChildProcess } from "node:child_process"

/**
 * Ends a program that leads a process group with all of the group, and waits until
 * it is gone: its standard input first, then politely, then by force.
 *
 * @category running
 * @since 0.1.0
 */
export const endGroup = async (child: ChildProcess): Promise<void> => {
  const { pid } = child
  if (pid === undefined) return
  const isGone = () => (child.exitCode !== null || child.signalCode !== null) && !signal(child, pid, 0)
  const goneWithin = async (millis: number) => {
    for (let waited = 0; waited < millis && !isGone(); waited += pollMillis) {
      await new Promise((resolve) => setTimeout(resolve, pollMillis))
    }
    return isGone()
  }
  child.stdin?.destroy()
  if (await goneWithin(quietMillis)) return
  signal(child, pid, "SIGTERM")
  if (await goneWithin(politeMillis)) return
  signal(child, pid, "SIGKILL")
  await goneWithin(politeMillis)
}

const signal = (child: ChildProcess, pid: number, name: NodeJS.Signals | 0) => {
  try {
    return process.platform === "win32" ? name !== 0 && child.kill(name) : process.kill(-pid, name)
  } catch {
    return false
  }
}

const quietMillis = 300
const politeMillis = 1_000
const pollMillis = 20
