/**
 * How long a command may run, and how much of what it prints is kept.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The limits of the Bash tool.
 *
 * **Details**
 *
 * - `timeoutMillis`: the time limit of a command that names none.
 * - `longestTimeoutMillis`: the most that a command may ask for.
 * - `graceMillis`: how long a command may take to end itself before it is ended
 *   by force.
 * - `drainMillis`: how long output is waited for after the shell has ended.
 * - `inlineChars`: output above goes to the result store.
 * - `storedBytes`: what is kept of it there.
 * - `outputBytes`: a command that prints more than this is stopped.
 * - `background`: whether commands may go on after their call, because it asks
 *   for that, because their time is up, or because they left something running.
 *   Otherwise all of that is refused or ended.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limits {
  readonly timeoutMillis: number
  readonly longestTimeoutMillis: number
  readonly graceMillis: number
  readonly drainMillis: number
  readonly inlineChars: number
  readonly storedBytes: number
  readonly outputBytes: number
  readonly background: boolean
}

/**
 * Reference for the limits in force. `BASH_DEFAULT_TIMEOUT_MS`,
 * `BASH_MAX_TIMEOUT_MS` and `CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1` in the
 * environment of the process change them. Provide another value, beside or above the
 * registry of tools, to change them.
 *
 * @category references
 * @since 0.1.0
 */
export const BashLimits = Context.Reference<Limits>("toolgate/tools/BashLimits", {
  defaultValue: () => ({
    timeoutMillis: millisOf("BASH_DEFAULT_TIMEOUT_MS") ?? 120_000,
    longestTimeoutMillis: millisOf("BASH_MAX_TIMEOUT_MS") ?? 600_000,
    graceMillis: 2_000,
    drainMillis: 200,
    inlineChars: 30_000,
    storedBytes: 64 * 1024 * 1024,
    outputBytes: 5 * 1024 * 1024 * 1024,
    background: process.env["CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"] !== "1"
  })
})

const millisOf = (name: string): number | undefined => {
  const given = process.env[name] ?? ""
  return /^[1-9]\d{0,11}$/.test(given) ? Number(given) : undefined
}
