/**
 * What there is to say of a task.
 *
 * @since 0.1.0
 */
import type { KnownTask, TaskEnd } from "../domain/Task.ts"
import { codeOfSignal } from "./exitMeaning.ts"
import { quoted } from "./quoted.ts"

/**
 * Says how a task is, in a clause.
 *
 * @category rendering
 * @since 0.1.0
 */
export const taskState = (end: TaskEnd | undefined): string => {
  switch (end?._tag) {
    case undefined:
      return "is still running"
    case "Exited":
      return `has ended with exit code ${end.code}`
    case "Signalled":
      return `was ended by ${end.signal} (exit code ${codeOfSignal(end.signal)})`
    case "Stopped":
      return "was stopped"
    case "TooMuch":
      return "was stopped because it printed too much"
    case "Unknown":
      return "has ended, and nobody learned its exit code"
  }
}

/**
 * Says that there is no such task, and which there are.
 *
 * @category rendering
 * @since 0.1.0
 */
export const noSuchTask = (id: string, known: ReadonlyArray<KnownTask>): string => {
  const shown = known.slice(-5).map(({ end, task }) =>
    `${quoted(task.id)} (${oneLine(task.command)}) ${taskState(end)}`
  )
  const others = shown.length === 0 ? "it has none" : shown.join("; ")
  return `there is no task ${quoted(id)} in this session: ${others}`
}

/**
 * A command, short enough for a sentence.
 *
 * @category rendering
 * @since 0.1.0
 */
export const oneLine = (command: string): string => {
  const line = command.trim().replace(/\s+/g, " ")
  return quoted(line.length <= 60 ? line : `${line.slice(0, 57).toWellFormed()}…`)
}
