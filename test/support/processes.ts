/** Looking for processes, those of other runs of the tests left aside. */
import { readdirSync, readFileSync } from "node:fs"

let marks = 0

/** An argument for `sleep`, of five minutes and a little, that no other process of the machine has. */
export const mark = (): string => `300.${process.pid}${String(marks++).padStart(3, "0")}`

/** The processes that run with an argument. */
export const running = (argument: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument)
    } catch {
      return false
    }
  })

/** Whether a process runs: one that was ended and that nobody took note of yet does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}
