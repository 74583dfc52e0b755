/**
 * Asks with arrow keys and colours, for terminals that can move their cursor.
 *
 * @since 0.1.0
 */
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Terminal from "effect/Terminal"
import type { Answer, Question } from "../../domain/Question.ts"
import { choices } from "./choices.ts"
import { questionText, type Row } from "./questionText.ts"

/**
 * Shows a question and lets the person choose. When it is interrupted it takes
 * the question off the screen.
 *
 * @category prompts
 * @since 0.1.0
 */
export const askRich = Effect.fnUntraced(function*(
  question: Question,
  terminal: Terminal.Terminal,
  options: { readonly colors: boolean }
): Effect.fn.Return<Answer, Terminal.QuitError> {
  const columns = yield* terminal.columns
  const theme = { ...ascii, colors: options.colors }
  let height = (yield* terminal.rows) - 11

  while (true) {
    const { hidden, rows } = questionText(question, { columns, height, gutter: "  | " })
    const offered = choices(question, hidden)
    yield* Effect.orDie(terminal.display(`\n${rows.map((row) => paint(row, options.colors)).join("\n")}\n\n`))
    const chosen = yield* Prompt.run(Prompt.Select({
      message: "Allow it?",
      choices: offered.map(({ does, selected, title }) => ({ title, value: does, selected })),
      theme
    })).pipe(
      Effect.provideService(Terminal.Terminal, terminal),
      Effect.provide(unused),
      Effect.onInterrupt(() => takeBack(terminal, rows.length + offered.length + 3))
    )
    if (chosen === "show") {
      height = Number.POSITIVE_INFINITY
    } else if (chosen === "explain") {
      const reason = yield* Prompt.run(Prompt.String({ message: "Why not?", theme })).pipe(
        Effect.provideService(Terminal.Terminal, terminal),
        Effect.provide(unused),
        Effect.onInterrupt(() => takeBack(terminal, 1))
      )
      return reason.trim() === "" ? { _tag: "Denied" } : { _tag: "Denied", reason: reason.trim() }
    } else {
      return chosen
    }
  }
})

const ascii = { prefix: "?", pointer: ">", pointerSmall: "", tick: "*", ellipsis: "", arrowUp: "^", arrowDown: "v" }

// Prompts want these for choosing files, which no prompt here does.
const unused = Layer.merge(FileSystem.layerNoop({}), Path.layer)

const codes: { readonly [style in Row["style"]]: string } = { plain: "", strong: "1", faint: "2", warning: "1;31" }

const paint = ({ style, text }: Row, colors: boolean): string =>
  colors && codes[style] !== "" ? `\u001B[${codes[style]}m${text}\u001B[0m` : text

/** Goes back to where the question began and clears everything below. */
const takeBack = (terminal: Terminal.Terminal, rows: number): Effect.Effect<void> =>
  terminal.rows.pipe(
    Effect.flatMap((height) => terminal.display(`\r\u001B[${Math.min(rows, height) - 1}A\u001B[J\u001B[?25h`)),
    Effect.ignore
  )
