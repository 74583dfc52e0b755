/**
 * Tells how a conversation goes, in the form that was asked for.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Outcome } from "../domain/CallEvent.ts"
import type { CallSummary, ConversationEnd, ConversationEvent, Usage } from "../domain/ConversationEvent.ts"
import { textOf, type ToolResult } from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { callText } from "./callText.ts"
import { forTerminal } from "./contentText.ts"
import { hanging } from "./hanging.ts"
import { line, oneLine } from "./line.ts"
import { type ChatOutput, version } from "./Output.ts"
import * as ProgressTo from "./Progress.ts"
import { makeWordWrap } from "./WordWrap.ts"
import * as write from "./write.ts"

/**
 * Someone who watches a conversation.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChatReporter {
  readonly event: (event: ConversationEvent) => Effect.Effect<void>
}

/**
 * Reports to a person: the answer on standard output, everything else on
 * standard error.
 *
 * **Details**
 *
 * A terminal gets the words as they come; a file or a pipe only the answer, since
 * what a model says on its way there may be void. While a person is asked
 * something, all else waits.
 *
 * @category reporters
 * @since 0.1.0
 */
export const text = (colors: boolean): Effect.Effect<ChatReporter> =>
  Effect.map(ProgressTo.make, (progress) => {
    const live = process.stdout.isTTY
    const columns = Math.max(process.stderr.columns ?? 80, 40)
    const paint = (code: number, text: string): string => colors ? `\u001B[${code}m${text}\u001B[0m` : text
    const running = new Map<string, ToolUse>()
    const executing = new Map<string, ToolUse>()
    const asking = new Set<string>()
    let waiting: Array<Effect.Effect<void>> = []
    const inRows = () => makeWordWrap(() => process.stdout.columns || 80)
    let prose = inRows()

    const tell = (writing: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (asking.size === 0) return writing
        waiting.push(writing)
        return Effect.void
      })
    const asked = (id: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (!asking.delete(id) || asking.size > 0) return Effect.void
        const told = waiting
        waiting = []
        return Effect.forEach(told, (writing) => writing, { discard: true })
      })
    const lineEnd: Effect.Effect<void> = Effect.suspend(() => {
      const rest = prose.end()
      return Effect.andThen(progress.clear, write.out(rest))
    })
    const below = (text: string): Effect.Effect<void> => tell(Effect.andThen(lineEnd, write.err(text)))
    const said = (text: string): Effect.Effect<void> =>
      tell(Effect.suspend(() => {
        const rows = prose.take(forTerminal(text))
        return Effect.andThen(progress.clear, write.out(rows))
      }))
    /** What a tool says meanwhile: never in the middle of what the model says. */
    const passing = (text: string): Effect.Effect<void> =>
      Effect.suspend(() =>
        process.stderr.isTTY && !prose.isMidLine() && asking.size === 0 ? progress.show(text) : Effect.void
      )
    /** What still runs, again, once something else has taken its line. */
    const stillRunning: Effect.Effect<void> = Effect.suspend(() => {
      const use = [...executing.values()].at(-1)
      return use === undefined ? Effect.void : passing(`  ...      ${callText(use, 200)}\n`)
    })
    const row = (outcome: Outcome, use: ToolUse, result: ToolResult): string => {
      const { color, explained, word } = words[outcome]
      const why = explained ? firstLine(result) : ""
      return [
        `  ${paint(color, word.padEnd(7))}  ${callText(use, columns - 15)}\n`,
        ...why === "" ? [] : [`           ${oneLine(why, columns - 15)}\n`]
      ].join("")
    }

    return {
      event: (event) => {
        switch (event._tag) {
          case "TurnStarted":
            return Effect.suspend(() => {
              // What one message left open, such as a block of code, is none of the next one's.
              prose = inRows()
              return passing("  ...      the model\n")
            })
          case "ModelSaid":
            return live && event.text !== "" ? said(event.text) : Effect.void
          case "ModelAnswered": {
            if (live) return Effect.andThen(tell(lineEnd), stillRunning)
            return event.uses.length > 0 && event.text !== "" ? below(`${event.text.trim()}\n`) : Effect.void
          }
          case "ModelRetried":
            return below(line(`${event.error}, asking again in ${Math.ceil(event.waitMillis / 1_000)} s`))
          case "Received":
            running.set(event.id, event.use)
            return tell(lineEnd)
          case "StageStarted": {
            const use = event.stage === "execute" ? running.get(event.id) : undefined
            if (use === undefined) return Effect.void
            executing.set(event.id, use)
            return stillRunning
          }
          case "Progress":
            return passing(event.text)
          case "Asked":
            return Effect.andThen(lineEnd, Effect.sync(() => void asking.add(event.id)))
          case "Answered":
            return asked(event.id)
          case "Noted":
            return event.note.audience === "person" ? below(line(`note: ${event.note.text}`)) : Effect.void
          case "Finished": {
            const use = running.get(event.id)
            running.delete(event.id)
            executing.delete(event.id)
            if (use === undefined) return asked(event.id)
            return asked(event.id).pipe(
              Effect.andThen(below(row(event.outcome, use, event.result))),
              Effect.andThen(stillRunning)
            )
          }
          case "ConversationEnded": {
            const answer = live || event.answer === "" ? Effect.void : write.out(`${event.answer.trimEnd()}\n`)
            const denied = (event.calls ?? []).filter(({ outcome }) => outcome === "denied")
            const why = whyEnded(event)
            return tell(lineEnd).pipe(
              Effect.andThen(answer),
              Effect.andThen(below(
                [
                  ...denied.map((call) => deniedText(call, paint, process.stderr.isTTY ? columns : undefined)),
                  ...why === undefined ? [] : [line(why)],
                  paint(2, line(counts(event)).trimEnd()),
                  "\n"
                ].join("")
              ))
            )
          }
          default:
            return Effect.void
        }
      }
    }
  })

/**
 * Reports to a program: one object at the end.
 *
 * @category reporters
 * @since 0.1.0
 */
export const json: ChatReporter = {
  event: (event) => {
    if (event._tag !== "ConversationEnded") return Effect.void
    const { _tag, calls = [], usage = { input: 0, output: 0 }, ...rest } = event
    const output: ChatOutput = { version, ...rest, calls, usage }
    return write.json(output)
  }
}

/**
 * Reports to a program as it happens: a line for each event, with the time.
 *
 * @category reporters
 * @since 0.1.0
 */
export const stream: ChatReporter = {
  event: (event) => Effect.flatMap(Clock.currentTimeMillis, (at) => write.json({ version, at, ...event }))
}

type EndedEvent = Extract<ConversationEvent, { readonly _tag: "ConversationEnded" }>

/** What was denied is explained at the end. */
const words: {
  readonly [outcome in Outcome]: { readonly word: string; readonly color: number; readonly explained: boolean }
} = {
  done: { word: "done", color: 32, explained: false },
  failed: { word: "failed", color: 33, explained: true },
  wrong: { word: "wrong", color: 33, explained: true },
  denied: { word: "denied", color: 31, explained: false },
  stopped: { word: "stopped", color: 33, explained: false },
  internal: { word: "fault", color: 31, explained: true }
}

const firstLine = ({ content }: ToolResult): string =>
  textOf(content).replace(/<\/?tool_use_error>/g, "").trimStart().split("\n", 1)[0] ?? ""

const deniedText = (
  { use, why = "it was denied" }: CallSummary,
  paint: (code: number, text: string) => string,
  columns: number | undefined
): string =>
  `${paint(31, "denied")}   ${callText(use, (columns ?? 500) - 12)}\n${hanging("         ", oneLine(why), columns)}\n`

const whyEnded = ({ answer, error, turns, why }: EndedEvent): string | undefined => {
  const texts: { readonly [why in ConversationEnd]: string | undefined } = {
    answered: answer.trim() === "" ? "the model ended without a word" : undefined,
    cutOff: "the answer reached the model's limit of length",
    refused: "the model refused to answer",
    turnLimit: `stopped after ${turns} turns, \`--max-turns\` allows more`,
    interrupted: "the answer was interrupted",
    stoppedByHook: `a hook ended the turn${error === undefined ? "" : `: ${error}`}`,
    failed: error ?? "the model could not be heard"
  }
  return texts[why]
}

const counts = ({ calls = [], cost, turns, usage = { input: 0, output: 0 } }: EndedEvent): string => {
  const denied = calls.filter(({ outcome }) => outcome === "denied").length
  const read = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
  return [
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    calls.length === 0 ? "no calls" : `${calls.length} ${calls.length === 1 ? "call" : "calls"}`,
    ...denied === 0 ? [] : [`${denied} denied`],
    `${read.toLocaleString("en")} tokens in${cached(usage)}, ${usage.output.toLocaleString("en")} out`,
    ...cost === undefined ? [] : [`cost ${cost.toFixed(4)}`]
  ].join(", ")
}

const cached = ({ cacheRead = 0 }: Usage): string =>
  cacheRead === 0 ? "" : ` (${cacheRead.toLocaleString("en")} from the cache)`
