/**
 * Asks in plain lines: nothing moves, nothing is coloured, and a screen reader
 * reads it from top to bottom.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Terminal from "effect/Terminal"
import type { Answer, Question } from "../../domain/Question.ts"
import { choices } from "./choices.ts"
import { questionText } from "./questionText.ts"
import { readLine } from "./readLine.ts"

/**
 * Shows a question as a numbered list and reads the number of the answer.
 *
 * @category prompts
 * @since 0.1.0
 */
export const askPlain = Effect.fnUntraced(function*(
  question: Question,
  terminal: Terminal.Terminal
): Effect.fn.Return<Answer, Terminal.QuitError> {
  const columns = yield* terminal.columns
  const say = (text: string) => Effect.orDie(terminal.display(text))
  const ask = (label: string) => Effect.andThen(say(label), readLine(terminal))
  const withdrawn = Effect.onInterrupt(() => say("\r\nThe question was withdrawn.\r\n"))
  let height = 40

  while (true) {
    const { hidden, rows } = questionText(question, { columns, height, gutter: "  | " })
    const offered = choices(question, hidden)
    const list = offered.map(({ title }, index) => `${index + 1}. ${title}`)
    yield* say(`\r\n${[...rows.map((row) => row.text), "", ...list].join("\r\n")}\r\n`)

    let chosen = offered[Number(yield* withdrawn(ask(`Answer with a number from 1 to ${offered.length}: `))) - 1]
    while (chosen === undefined) {
      chosen = offered[Number(yield* withdrawn(ask(`Please answer with a number from 1 to ${offered.length}: `))) - 1]
    }
    if (chosen.does === "show") {
      height = Number.POSITIVE_INFINITY
    } else if (chosen.does === "explain") {
      const reason = (yield* withdrawn(ask("Why not? "))).trim()
      return reason === "" ? { _tag: "Denied" } : { _tag: "Denied", reason }
    } else {
      return chosen.does
    }
  }
})
