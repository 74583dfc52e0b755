/**
 * The steps of a recording: what moved between the parties, in order.
 *
 * @since 0.1.0
 */
import type { Outcome, Stage } from "../domain/CallEvent.ts"

/**
 * Everybody who takes part, in the order in which they stand.
 *
 * @category constants
 * @since 0.1.0
 */
export const parties = ["you", "host", "model", "gate", "tool", "disk"] as const

/**
 * @category models
 * @since 0.1.0
 */
export type Party = typeof parties[number]

/**
 * A text that a step carries: what somebody said, a command or data as it is, a
 * remark of ours, or what a call would destroy.
 *
 * @category models
 * @since 0.1.0
 */
export interface Words {
  readonly kind: "said" | "verbatim" | "remark" | "warning"
  readonly label?: string
  readonly text: string
}

/**
 * How a step goes for whoever wants the call done.
 *
 * @category models
 * @since 0.1.0
 */
export type Tone = "plain" | "good" | "asking" | "bad"

/**
 * One step.
 *
 * **Details**
 *
 * `at` is in milliseconds since 1970. `title` is what `from` does, without a full
 * stop. `call` is the number of the call it belongs to, from 1; `turn` the
 * model's turn, 0 before the first. `heading` begins a part of the recording.
 * `missed` is what the call would have gone through, had it not ended here.
 * `events` are the places in the recording of the events that it shows.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step {
  readonly at: number
  readonly from: Party
  readonly to: Party
  readonly title: string
  readonly words: ReadonlyArray<Words>
  readonly tone: Tone
  readonly turn: number
  readonly call?: number
  readonly stage?: Stage
  readonly heading?: string
  readonly missed?: ReadonlyArray<Stage>
  readonly events: ReadonlyArray<number>
}

/**
 * A call of the recording.
 *
 * **Details**
 *
 * `parent` is the number of the call whose tool asked for it, `depth` how many
 * such calls it is inside of. `stages` are those that it came to, `endedIn` the
 * one that sent it off the path. Without an `outcome` the recording ended first.
 *
 * @category models
 * @since 0.1.0
 */
export interface TracedCall {
  readonly number: number
  readonly tool: string
  readonly parent?: number
  readonly depth: number
  readonly stages: ReadonlyArray<Stage>
  readonly endedIn?: Stage
  readonly outcome?: Outcome
}

/**
 * A whole recording as it can be shown. `title` is the question, or the call
 * where there is but one; `model`, `turns` and `tokens` are a conversation's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Trace {
  readonly title: string
  readonly model?: string
  readonly turns: number
  readonly tokens?: { readonly input: number; readonly output: number }
  readonly steps: ReadonlyArray<Step>
  readonly calls: ReadonlyArray<TracedCall>
}
