/**
 * A line that a person types.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"

/**
 * Reads a line key by key, so that the first key is known as such; shows what is
 * typed.
 *
 * @category reading
 * @since 0.1.0
 */
export const readLine = Effect.fnUntraced(function*(
  terminal: Terminal.Terminal
): Effect.fn.Return<string, Terminal.QuitError> {
  const keys = yield* Effect.scoped(terminal.readInput)
  let line = ""
  while (true) {
    const { input, key } = yield* Effect.mapError(Queue.take(keys), () => new Terminal.QuitError({}))
    const text = Option.getOrElse(input, () => "")
    if (key.name === "return" || key.name === "enter") {
      yield* Effect.orDie(terminal.display("\r\n"))
      return line
    }
    if (key.name === "backspace") {
      if (line !== "") yield* Effect.orDie(terminal.display("\b \b"))
      line = Array.from(line).slice(0, -1).join("")
    } else if (!key.ctrl && !key.meta && /^\P{C}+$/u.test(text)) {
      line += text
      yield* Effect.orDie(terminal.display(text))
    }
  }
})
