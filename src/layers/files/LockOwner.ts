/**
 * Who holds a lock file, and whether they are still there.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"

const Owner = Schema.fromJsonString(Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  started: Schema.String,
  token: Schema.String
}))

const decode = Schema.decodeUnknownOption(Owner)

/**
 * The text that says that this process holds a lock.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mine = (token: string): string =>
  JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid), token })

/**
 * Whether a lock's text is the one that this token was written with.
 *
 * @category guards
 * @since 0.1.0
 */
export const isMine = (text: string, token: string): boolean =>
  Option.exists(decode(text), (owner) => owner.token === token)

/**
 * Whether nobody holds a lock any more.
 *
 * **Details**
 *
 * A process of this machine is looked up, by its id and when it started, since
 * ids are used again. Another machine's lock, and a text that can't be read,
 * count by age.
 *
 * @category guards
 * @since 0.1.0
 */
export const isGone = (text: string, ageMillis: number, staleMillis: number): boolean =>
  Option.match(decode(text), {
    onNone: () => ageMillis > Math.min(staleMillis, 5_000),
    onSome: (owner) =>
      owner.host === hostname()
        ? !isRunning(owner.pid) || (owner.started !== "" && startOf(owner.pid) !== owner.started)
        : ageMillis > staleMillis
  })

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process can't be signalled, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The second field is the program's name in parentheses, which may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}
