/**
 * Finds the processes that belong to a command.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs"

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
 * Every process of a family.
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
export const members = (family: Family): ReadonlyArray<Entry> => membersAmong(family, allNumbers())

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
  return last > family.group ? membersAmong(family, numbersAfter(family.group, last)) : members(family)
}

const membersAmong = (
  { group, pipe, since, variable }: Family,
  numbers: ReadonlyArray<number>
): ReadonlyArray<Entry> => {
  const young = numbers.flatMap((pid) => {
    const entry = pid === process.pid ? undefined : entryOf(pid)
    return entry === undefined || entry.started < since ? [] : [entry]
  })
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

const allNumbers = (): ReadonlyArray<number> =>
  Result.getOrElse(Result.try(() => readdirSync("/proc")), () => [])
    .flatMap((name) => /^\d+$/.test(name) ? [Number(name)] : [])

/** Where others begin processes all the time, asking for the few numbers that were given since costs the least. */
const numbersAfter = (first: number, last: number): ReadonlyArray<number> =>
  last - first > mostAsked
    ? allNumbers().filter((pid) => pid > first)
    : Array.from({ length: last - first }, (_, index) => first + 1 + index).filter(isProcess)

const mostAsked = 100

/** Threads have numbers as well, which no list of processes shows. */
const isProcess = (pid: number): boolean => {
  if (!existsSync(`/proc/${pid}`)) return false
  const status = Result.try(() => readFileSync(`/proc/${pid}/status`, "latin1"))
  return Result.isSuccess(status) && status.success.includes(`\nTgid:\t${pid}\n`)
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
