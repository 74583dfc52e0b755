/**
 * The books of a conversation: how each call went, and what the answers used.
 *
 * @since 0.1.0
 */
import type { CallEvent } from "../domain/CallEvent.ts"
import type { CallSummary, Usage } from "../domain/ConversationEvent.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Answer } from "../domain/Question.ts"
import { textOf } from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"

/**
 * What a million tokens cost, in whatever currency. What a cache gives or takes
 * costs as much as input where no price says otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/**
 * The books.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ledger {
  /** Takes note of what happens to a call. */
  readonly saw: (event: CallEvent) => void
  /** Adds what an answer used. */
  readonly spent: (usage: Usage) => void
  /** How the calls went, in the order in which they came in. */
  readonly calls: () => ReadonlyArray<CallSummary>
  readonly usage: () => Usage
  /** Why a hook wants the model to be asked no further, if one does. */
  readonly turnEnded: () => string | undefined
}

/**
 * Opens new books.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): Ledger => {
  const notes = new Map<string, Notes>()
  const ended: Array<CallSummary> = []
  let usage: Usage = { input: 0, output: 0 }
  let turnEnded: string | undefined
  const noted = (id: string, more: Partial<Notes>): void => {
    notes.set(id, { ...notes.get(id), ...more })
  }
  return {
    saw: (event) => {
      switch (event._tag) {
        case "Received":
          return noted(event.id, { use: event.use })
        case "Decided":
          return noted(event.id, { decision: event.decision })
        case "Answered":
          return noted(event.id, { answer: event.answer })
        case "TurnEnded":
          turnEnded ??= event.reason
          return
        case "Finished": {
          const { answer, decision, use } = notes.get(event.id) ?? {}
          notes.delete(event.id)
          if (use === undefined) return
          const why = event.outcome === "denied"
            ? whyDenied(decision, answer) ?? textOf(event.result.content)
            : undefined
          ended.push({ use, outcome: event.outcome, ...(why === undefined ? {} : { why }) })
        }
      }
    },
    spent: (more) => {
      usage = plus(usage, more)
    },
    calls: () => [...ended],
    usage: () => usage,
    turnEnded: () => turnEnded
  }
}

/**
 * What an amount of tokens costs.
 *
 * **Example** (A million in, half a million out)
 *
 * ```ts
 * import * as Ledger from "toolgate/conversation/Ledger"
 *
 * Ledger.costOf({ input: 1_000_000, output: 500_000 }, { input: 3, output: 15 }) // => 10.5
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const costOf = (usage: Usage, prices: Prices): number =>
  (usage.input * prices.input +
    usage.output * prices.output +
    (usage.cacheRead ?? 0) * (prices.cacheRead ?? prices.input) +
    (usage.cacheWrite ?? 0) * (prices.cacheWrite ?? prices.input)) / 1_000_000

interface Notes {
  readonly use?: ToolUse
  readonly decision?: Decision
  readonly answer?: Answer
}

const plus = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  ...sum("cacheRead", one, other),
  ...sum("cacheWrite", one, other)
})

const sum = (field: "cacheRead" | "cacheWrite", one: Usage, other: Usage): Partial<Usage> =>
  one[field] === undefined && other[field] === undefined
    ? {}
    : { [field]: (one[field] ?? 0) + (other[field] ?? 0) }

const whyDenied = (decision: Decision | undefined, answer: Answer | undefined): string | undefined => {
  if (answer?._tag === "Denied") {
    return answer.reason === undefined ? "a person declined" : `a person declined: ${answer.reason}`
  }
  if (decision === undefined) return undefined
  const { rule, why } = decision
  const text = rule === undefined ? why : `${why} (${rule.behavior} rule \`${rule.text}\`)`
  return answer?._tag === "Nobody" ? `${text}, and ${answer.why}` : text
}
