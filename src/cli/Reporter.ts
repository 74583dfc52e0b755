/**
 * Tells how a call goes, in the form that was asked for.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CallEvent, Outcome } from "../domain/CallEvent.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Note } from "../domain/Note.ts"
import type { Answer } from "../domain/Question.ts"
import type { ToolResult } from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { contentText, forTerminal } from "./contentText.ts"
import { line } from "./line.ts"
import { type CallOutput, version } from "./Output.ts"
import * as ProgressTo from "./Progress.ts"
import { summary } from "./summary.ts"
import * as write from "./write.ts"

/**
 * What is known of a call at its end.
 *
 * @category models
 * @since 0.1.0
 */
export interface Report {
  readonly use: ToolUse
  readonly result: ToolResult
  readonly outcome: Outcome
  readonly decision: Decision | undefined
  readonly answer: Answer | undefined
  readonly notes: ReadonlyArray<Note>
}

/**
 * Someone who watches a call and tells its end. `progress` says whether it does
 * anything with progress.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reporter {
  readonly progress: boolean
  readonly event: (event: CallEvent) => Effect.Effect<void>
  readonly end: (report: Report) => Effect.Effect<void>
}

/**
 * Reports to a person: the result on standard output, once; everything else on
 * standard error.
 *
 * @category reporters
 * @since 0.1.0
 */
export const text: Effect.Effect<Reporter> = Effect.map(ProgressTo.make, (progress) => ({
  progress: progress.isShown,
  event: (event) => {
    if (event._tag === "Progress") return progress.show(event.text)
    if (event._tag === "Asked") return progress.clear
    return event._tag === "Noted" && event.note.audience === "person"
      ? Effect.andThen(progress.clear, write.err(line(`note: ${event.note.text}`)))
      : Effect.void
  },
  end: Effect.fnUntraced(function*(report) {
    yield* progress.clear
    const said = contentText(report.result.content)
    // A failure of one line is a message; one of several holds what the tool had to show.
    const shows = report.outcome === "failed" || report.outcome === "stopped"
    if (report.outcome === "done" || (shows && said.trim().includes("\n"))) {
      const whole = said === "" || said.endsWith("\n") ? said : `${said}\n`
      yield* write.out(process.stdout.isTTY ? forTerminal(whole) : whole)
    }
    if (report.outcome !== "done") yield* write.err(line(summary(report)))
  })
}))

/**
 * Reports to a program: one object at the end.
 *
 * @category reporters
 * @since 0.1.0
 */
export const json: Reporter = {
  progress: false,
  event: () => Effect.void,
  end: (report) => {
    const { decision, notes, outcome, result } = report
    const output: CallOutput = { version, result, outcome, ...(decision === undefined ? {} : { decision }), notes }
    return Effect.andThen(write.json(output), complain(report))
  }
}

/**
 * Reports to a program as it happens: a line for each event, with the time.
 *
 * @category reporters
 * @since 0.1.0
 */
export const stream: Reporter = {
  progress: true,
  event: (event) => Effect.flatMap(Clock.currentTimeMillis, (at) => write.json({ version, at, ...event })),
  end: (report) => complain(report)
}

/** A call that was wrong is wrong usage, which is told to whoever looks on, too. */
const complain = (report: Report): Effect.Effect<void> =>
  report.outcome === "wrong" || report.outcome === "internal" ? write.err(line(summary(report))) : Effect.void
