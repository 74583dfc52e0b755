/**
 * Entries of an audit log as a person reads them: one line each.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { oneLine } from "./line.ts"

/**
 * What is needed of an entry to choose and to show it.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogEntry {
  readonly time: string
  readonly session: string
  readonly id: string
  readonly parent?: unknown
  readonly tool: string
  readonly verdict: string
  readonly by: string
  readonly why: string
  readonly decision: unknown
}

/**
 * Reads a line, or gives undefined for what is no entry.
 *
 * **Details**
 *
 * Only what is needed is looked at: a log may have a million lines.
 *
 * @category reading
 * @since 0.1.0
 */
export const readLogLine = (line: string): LogEntry | undefined => {
  const read = Result.try((): unknown => JSON.parse(line))
  return Result.isSuccess(read) && isEntry(read.success) ? read.success : undefined
}

const isEntry = (value: unknown): value is LogEntry & { readonly version: 1 } =>
  Predicate.isObject(value) && value["version"] === 1 && texts.every((field) => typeof value[field] === "string") &&
  Predicate.isObject(value["decision"])

const texts: ReadonlyArray<string> = ["time", "session", "id", "tool", "verdict", "by", "why"]

/**
 * Shows an entry on one line.
 *
 * @category formatting
 * @since 0.1.0
 */
export const logText = (entry: LogEntry, colors: boolean): string => {
  const paint = (code: number, text: string): string => colors ? `\u001B[${code}m${text}\u001B[0m` : text
  const time = entry.time.replace(/\.\d+Z$/, "Z")
  const verdict = entry.verdict === "allow" ? paint(32, "allow") : paint(31, "deny  ")
  const what = oneLine(demands(entry.decision).join("; "), 200)
  const subject = what === "" || what === entry.tool ? oneLine(entry.tool, 80) : `${oneLine(entry.tool, 80)}: ${what}`
  const inside = typeof entry.parent === "string" ? `  inside ${oneLine(entry.parent, 80)}` : ""
  return `${oneLine(time, 40)}  ${verdict}  ${oneLine(entry.by, 20).padEnd(10)}  ${subject}  ${
    paint(2, `(${oneLine(entry.why, 200)})${inside}`)
  }\n`
}

const demands = (decision: unknown): ReadonlyArray<string> => {
  const judged = Predicate.isObject(decision) ? decision["judged"] : undefined
  if (!Array.isArray(judged)) return []
  return judged.flatMap((one: unknown) =>
    Predicate.isObject(one) && typeof one["demand"] === "string" ? [one["demand"]] : []
  )
}
