/**
 * Times and counts as a person reads them.
 *
 * @since 0.1.0
 */
import type { Trace, TracedCall } from "./Step.ts"

/**
 * Writes a time since the start, given in milliseconds: in seconds, with minutes
 * and hours where there are any.
 *
 * **Example** (A little more than a minute)
 *
 * ```ts
 * import { clock } from "toolgate/trace/quantities"
 *
 * clock(61_250) // => "1:01.250"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const clock = (millis: number): string => {
  const whole = Math.max(0, Math.round(millis))
  const hours = Math.floor(whole / 3_600_000)
  const minutes = Math.floor(whole / 60_000) % 60
  const seconds = ((whole % 60_000) / 1_000).toFixed(3)
  if (hours > 0) return `${hours}:${String(minutes).padStart(2, "0")}:${seconds.padStart(6, "0")}`
  return minutes > 0 ? `${minutes}:${seconds.padStart(6, "0")}` : seconds
}

/**
 * Writes a count with its noun.
 *
 * @category formatting
 * @since 0.1.0
 */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`

/**
 * Says in a few phrases what a recording holds.
 *
 * @category formatting
 * @since 0.1.0
 */
export const phrases = ({ calls, model, steps, tokens, turns }: Trace): ReadonlyArray<string> => {
  const times = steps.map(({ at }) => at)
  return [
    ...(model === undefined ? [] : [model]),
    ...(turns === 0 ? [] : [count(turns, "turn")]),
    `${count(calls.length, "call")}${calls.length === 0 ? "" : `: ${fates(calls)}`}`,
    `${clock(maximum(times) - minimum(times))} s`,
    ...(tokens === undefined
      ? []
      : [`${tokens.input.toLocaleString("en")} tokens in, ${tokens.output.toLocaleString("en")} out`])
  ]
}

/**
 * When a recording begins, in milliseconds since 1970.
 *
 * @category getters
 * @since 0.1.0
 */
export const startOf = ({ steps }: Trace): number => minimum(steps.map(({ at }) => at))

const minimum = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((least, number) => Math.min(least, number), numbers[0] ?? 0)

const maximum = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((most, number) => Math.max(most, number), numbers[0] ?? 0)

/**
 * How a call ended, in a word.
 *
 * @category formatting
 * @since 0.1.0
 */
export const fate = ({ outcome }: TracedCall): string => outcome ?? "not over"

const fates = (calls: ReadonlyArray<TracedCall>): string =>
  Array.from(new Set(calls.map(fate)), (one) => `${calls.filter((call) => fate(call) === one).length} ${one}`)
    .join(", ")
