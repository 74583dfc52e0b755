/**
 * Asks at the terminal whether a page may be opened in the browser.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import type { ElicitationAnswer } from "../../domain/Elicitation.ts"
import { visible } from "./visible.ts"
import { wrap } from "./wrap.ts"

/**
 * Shows who wants what, and the whole address, and waits for `y` or `n`. Enter
 * alone opens nothing: the address is a server's choice.
 *
 * @category prompts
 * @since 0.1.0
 */
export const askAddress = Effect.fnUntraced(function*(
  asked: { readonly server: string; readonly message: string; readonly url: string },
  terminal: Terminal.Terminal
): Effect.fn.Return<ElicitationAnswer, Terminal.QuitError> {
  const say = (text: string) => Effect.orDie(terminal.display(text))
  const width = Math.max((yield* terminal.columns) - gutter.length - 1, 20)
  const rows = [asked.message, "", asked.url].flatMap((text) => text === "" ? [""] : wrap(visible(text), width))
  yield* say(
    `\r\n${wrap(`The server ${visible(asked.server)} wants you to open a page:`, width).join("\r\n")}\r\n${
      rows.map((row) => `${gutter}${row}\r\n`).join("")
    }\r\nOpen it in your browser? (y/n) `
  )
  const keys = yield* Effect.scoped(terminal.readInput)
  return yield* Effect.gen(function*(): Effect.fn.Return<ElicitationAnswer, Terminal.QuitError> {
    while (true) {
      const { input } = yield* Effect.mapError(Queue.take(keys), () => new Terminal.QuitError({}))
      const answer = Option.getOrElse(input, () => "").toLowerCase()
      if (answer !== "y" && answer !== "n") continue
      yield* say(`${answer}\r\n`)
      return answer === "y" ? { _tag: "Given", values: {} } : { _tag: "Declined" }
    }
  }).pipe(Effect.onInterrupt(() => say("\r\nThe question was withdrawn.\r\n")))
})

const gutter = "  | "
