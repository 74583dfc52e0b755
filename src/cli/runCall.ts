/**
 * Runs the call of `toolgate call`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallEvent, Outcome } from "../domain/CallEvent.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Note } from "../domain/Note.ts"
import type { Answer } from "../domain/Question.ts"
import type { ToolResult } from "../domain/ToolResult.ts"
import { Pipeline } from "../pipeline.ts"
import { Ended } from "./Ended.ts"
import { gate } from "./gate.ts"
import { mindPolicy } from "./mindPolicy.ts"
import { type Given, readToolUse } from "./readToolUse.ts"
import * as Reporter from "./Reporter.ts"
import type { Shared } from "./root.ts"
import * as Stop from "./Stop.ts"
import * as Surroundings from "./Surroundings.ts"

/**
 * Runs one call and reports it. Told to stop, it still answers.
 *
 * @category commands
 * @since 0.1.0
 */
export const runCall = Effect.fn("cli.call")(function*(given: Given, shared: Shared) {
  const use = yield* readToolUse(given)
  const layer = yield* gate(shared)
  const form = Surroundings.form(shared)
  const reporter = form === "text" ? yield* Reporter.text : form === "json" ? Reporter.json : Reporter.stream

  const seen: Seen = { notes: [] }
  const watch = (event: CallEvent): Effect.Effect<void> => {
    // What the tool calls itself is told as it happens, and is no part of how its own call went.
    if (event.id !== use.id) return reporter.event(event)
    if (event._tag === "Decided") seen.decision = event.decision
    if (event._tag === "Answered") seen.answer = event.answer
    if (event._tag === "Noted") seen.notes.push(event.note)
    if (event._tag === "Finished") seen.finished = event
    return reporter.event(event)
  }
  const outcome = yield* Stop.finishing((stopped) =>
    Effect.gen(function*() {
      yield* mindPolicy(yield* Surroundings.context(shared))
      const { stream } = yield* Pipeline
      yield* Stream.runForEach(stream(use, { cancel: stopped, progress: reporter.progress }), watch)
      if (seen.finished === undefined) return yield* Effect.die("a call ended without a result")
      yield* reporter.end({ use, ...seen.finished, decision: seen.decision, answer: seen.answer, notes: seen.notes })
      return seen.finished.outcome
    }).pipe(Effect.provide(layer))
  )
  if (outcome !== "done") return yield* new Ended({ code: outcome === "stopped" ? Stop.exitCode() : codes[outcome] })
})

interface Seen {
  readonly notes: Array<Note>
  decision?: Decision
  answer?: Answer
  finished?: { readonly outcome: Outcome; readonly result: ToolResult }
}

const codes: { readonly [outcome in Exclude<Outcome, "stopped">]: number } = {
  done: 0,
  failed: 1,
  wrong: 2,
  denied: 3,
  internal: 70
}
