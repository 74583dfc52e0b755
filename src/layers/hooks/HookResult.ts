/**
 * One hook that was to run, and how that went.
 *
 * @since 0.1.0
 */
import type { HookEntry, HookRun } from "../../domain/Hook.ts"
import type { HookEnd } from "./HookProcess.ts"
import { cut, printable } from "./printable.ts"

/**
 * A hook and its end. `ending` is there for what no process has: running out of
 * time, and kinds of hooks that are not run.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookResult {
  readonly entry: HookEntry
  readonly end: HookEnd | TimedOut | NotRun
  readonly durationMillis: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface TimedOut {
  readonly ending: { readonly _tag: "TimedOut"; readonly seconds: number }
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NotRun {
  readonly ending: { readonly _tag: "NotRun"; readonly reason: string }
}

/**
 * What a hook is called towards people, on one line: its command, its address
 * without what may be secret in it, its question, its name, or the place of one
 * that can't be read.
 *
 * @category getters
 * @since 0.1.0
 */
export const nameOf = ({ column, file, hook, line, source }: HookEntry): string => {
  switch (hook.type) {
    case "command":
      return oneLine([hook.command, ...hook.args ?? []].join(" "))
    case "http":
      return oneLine(hook.url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//"))
    case "prompt":
      return `prompt: ${oneLine(hook.prompt)}`
    case "in-process":
      return oneLine(hook.name)
    default:
      return hook.problem === undefined
        ? `a hook of the kind ${hook.type}`
        : oneLine([file ?? source, line, column].filter((part) => part !== undefined).join(":"))
  }
}

const oneLine = (text: string): string => cut(printable(text).replace(/\s+/g, " ").trim(), 120)

/**
 * Why a hook is at fault without having said anything: it could not start, was
 * killed, or ran out of time. Nothing when it exited with a code of its own.
 *
 * @category getters
 * @since 0.1.0
 */
export const mishap = ({ end }: HookResult): string | undefined => {
  const { ending } = end
  switch (ending._tag) {
    case "NotStarted":
    case "NotRun":
      return ending.reason
    case "TimedOut":
      return `took longer than its ${ending.seconds} s and was ended`
    case "Killed":
      return `was killed by ${ending.signal}`
    case "Exited":
      if (ending.code === 126) return "could not start: exit code 126, its program may not be run"
      if (ending.code === 127) return "could not start: exit code 127, its program was not found"
      // A shell tells of a child's death by signal with 128 and the signal's number.
      return ending.code > 128 && ending.code < 160 ? `was killed by signal ${ending.code - 128}` : undefined
  }
}

/**
 * The exit code, when there is one.
 *
 * @category getters
 * @since 0.1.0
 */
export const codeOf = ({ end: { ending } }: HookResult): number | undefined =>
  ending._tag === "Exited" ? ending.code : undefined

/**
 * What a hook wrote to its standard error, for people and models.
 *
 * @category getters
 * @since 0.1.0
 */
export const stderrOf = ({ end }: HookResult, most = 10_000): string | undefined => {
  const text = "stderr" in end ? printable(end.stderr.text).trim() : ""
  return text === "" ? undefined : cut(text, most)
}

/**
 * That a hook failed with an exit code of its own, with the line of its standard
 * error that says why: of a traceback the one that names the exception.
 *
 * @category getters
 * @since 0.1.0
 */
export const crashOf = (result: HookResult, code: number): string => {
  const lines = stderrOf(result)?.split("\n").filter((line) => line.trim() !== "") ?? []
  const why = lines.findLast((line) => !/^\s|^Node\.js v/.test(line)) ?? lines.at(-1)
  return `failed with exit code ${code}${why === undefined ? "" : `: ${cut(why.trim(), 200)}`}`
}

/**
 * The record of a run for the trace.
 *
 * @category constructors
 * @since 0.1.0
 */
export const runOf = (
  result: HookResult,
  said: {
    readonly decision: HookRun["decision"]
    readonly reason?: string | undefined
    readonly fault?: string | undefined
  }
): HookRun => {
  const stderr = stderrOf(result, 2_000)
  return {
    name: nameOf(result.entry),
    source: result.entry.source,
    decision: said.decision,
    ...(said.reason === undefined ? {} : { reason: said.reason }),
    ...(said.fault === undefined ? {} : { fault: said.fault }),
    ...(stderr === undefined ? {} : { stderr }),
    durationMillis: result.durationMillis
  }
}
