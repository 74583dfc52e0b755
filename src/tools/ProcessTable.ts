/**
 * Finds the processes that belong to a command.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs"

/**
 * One running process. `started` tells it from a later one of the same number.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly started: number
  readonly name: string
}

/**
 * By what a command's processes are known: the process group that its shell
 * leads, a variable that they have in their environment, the pipe that they
 * print into, and the moment from which on they were started.
 *
 * @category models
 * @since 0.1.0
 */
export interface Family {
  readonly group: number
  readonly variable: string
  readonly pipe: string | undefined
  readonly since: number
}

/**
 * The family of a shell that was just started.
 *
 * @category constructors
 * @since 0.1.0
 */
export const familyOf = (shell: number, signs: Pick<Family, "pipe" | "variable">): Family => ({
  ...signs,
  group: shell,
  since: entryOf(shell)?.started ?? 0
})

/**
 * Every process of a family. Those of a number below `from` are not looked at.
 *
 * **Details**
 *
 * On Linux they are told by five signs: the process group, the session, the line
 * of parents, and, for those that changed session and lost their parent, the
 * variable and the pipe. One that emptied its environment and closed the pipe as
 * well is not found. Where there is no `/proc` nothing is found, and the group
 * alone is known.
 *
 * @category searching
 * @since 0.1.0
 */
export const members = ({ group, pipe, since, variable }: Family, from = 0): ReadonlyArray<Entry> => {
  const young = processes(from).filter((entry) => entry.started >= since)
  const found = new Set(
    young.filter(({ group: own, pid, session }) =>
      own === group || session === group || hasVariable(pid, variable) || hasPipe(pid, pipe)
    )
  )
  for (let before = -1; before !== found.size;) {
    before = found.size
    const parents = new Set([...found].map((entry) => entry.pid))
    for (const entry of young) if (parents.has(entry.parent)) found.add(entry)
  }
  return [...found]
}

/**
 * Those of a family that began after its shell, which is where one that has ended
 * leaves them: mostly a question of whether there is any later process at all.
 *
 * @category searching
 * @since 0.1.0
 */
export const descendants = (family: Family): ReadonlyArray<Entry> => {
  const last = lastProcess()
  if (last === family.group) return []
  // Numbers begin anew when they are used up.
  return members(family, last > family.group ? family.group : 0)
}

/** The number that was given last, or 0 where nobody says. */
const lastProcess = (): number => Number(/(\d+)\s*$/.exec(lineOf("/proc/loadavg") ?? "")?.[1] ?? 0)

/**
 * Whether a process is the one that was found, and still runs.
 *
 * @category guards
 * @since 0.1.0
 */
export const isRunning = (entry: Entry): boolean => entryOf(entry.pid)?.started === entry.started

/**
 * Whether processes can be told one by one on this machine.
 *
 * @category getters
 * @since 0.1.0
 */
export const isKnown = (): boolean => entryOf(process.pid) !== undefined

const processes = (from: number): ReadonlyArray<Entry> =>
  Result.getOrElse(Result.try(() => readdirSync("/proc")), () => []).flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : -1
    const entry = pid >= from && pid !== process.pid ? entryOf(pid) : undefined
    return entry === undefined ? [] : [entry]
  })

/** The name stands in parentheses and may itself hold some; a dead process that nobody waited for is none. */
const entryOf = (pid: number): Entry | undefined => {
  const stat = lineOf(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const end = stat.lastIndexOf(")")
  const [state, parent, group, session, ...rest] = stat.slice(end + 2).split(" ")
  if (state === undefined || state === "Z" || state === "X") return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(rest[15]),
    name: stat.slice(stat.indexOf("(") + 1, end)
  }
}

/** A short text that the kernel makes up, taken at one go: reading a file whole costs ten times as much. */
const lineOf = (file: string): string | undefined => {
  const opened = Result.try(() => openSync(file, "r"))
  if (Result.isFailure(opened)) return undefined
  const read = Result.try(() => readSync(opened.success, line))
  closeSync(opened.success)
  return Result.isSuccess(read) ? line.toString("latin1", 0, read.success) : undefined
}

const line = Buffer.alloc(4_096)

const hasVariable = (pid: number, variable: string): boolean => {
  const environment = Result.try(() => readFileSync(`/proc/${pid}/environ`))
  return Result.isSuccess(environment) && environment.success.includes(`${variable}=`)
}

const hasPipe = (pid: number, pipe: string | undefined): boolean =>
  pipe !== undefined && [1, 2].some((descriptor) => {
    const link = Result.try(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`))
    return Result.isSuccess(link) && (link.success === pipe || link.success === `${pipe} (deleted)`)
  })
