/**
 * Asks at the terminal what a server wants to know.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Terminal from "effect/Terminal"
import type { ElicitationAnswer, ElicitationField } from "../../domain/Elicitation.ts"
import { readLine } from "./readLine.ts"
import { visible } from "./visible.ts"
import { wrap } from "./wrap.ts"

/**
 * What is asked, and by whom.
 *
 * @category models
 * @since 0.1.0
 */
export interface Form {
  readonly server: string
  readonly message: string
  readonly fields: ReadonlyArray<ElicitationField>
}

/**
 * Asks for one field after the other, then whether all of it may go to the
 * server. Nothing is sent before that, and Enter alone sends nothing.
 *
 * @category prompts
 * @since 0.1.0
 */
export const askForm = Effect.fnUntraced(function*(
  { fields, message, server }: Form,
  terminal: Terminal.Terminal
): Effect.fn.Return<ElicitationAnswer, Terminal.QuitError> {
  const width = Math.max((yield* terminal.columns) - gutter.length - 1, 20)
  const say = (text: string) => Effect.orDie(terminal.display(text))
  const ask = (label: string) => Effect.andThen(say(label), readLine(terminal))
  const quoted = (text: string) => wrap(visible(text), width).map((row) => `${gutter}${row}\r\n`).join("")

  return yield* Effect.gen(function*(): Effect.fn.Return<ElicitationAnswer, Terminal.QuitError> {
    yield* say(`\r\nThe server ${visible(server)} asks you:\r\n${quoted(message)}Escape declines.\r\n`)
    const values: { [name: string]: Value } = {}
    for (const field of fields) {
      yield* say(
        `\r\n${quoted(field.description === undefined ? field.title : `${field.title}: ${field.description}`)}`
      )
      yield* say(
        field.options.map(({ title }, index) => wrap(visible(`${index + 1}. ${title}`), width).join("\r\n") + "\r\n")
          .join("")
      )
      let read = readValue(field, yield* ask(`${hintOf(field)}: `))
      while (read._tag === "Wrong") read = readValue(field, yield* ask(`Please answer with ${hintOf(field)}: `))
      if (read._tag === "Value") values[field.name] = read.value
    }
    const sent = yield* ask(`\r\nSend this to the server? (y/n) `)
    return /^y(?:es)?$/i.test(sent.trim()) ? { _tag: "Given", values } : { _tag: "Declined" }
  }).pipe(Effect.onInterrupt(() => say("\r\nThe question was withdrawn.\r\n")))
})

const gutter = "  | "

type Value = string | number | boolean | ReadonlyArray<string>

const hintOf = ({ kind, options, required }: ElicitationField): string => {
  const kinds: { readonly [Kind in ElicitationField["kind"]]: string } = {
    text: "a text",
    number: "a number",
    integer: "a whole number",
    boolean: "y or n",
    choice: `a number from 1 to ${options.length}`,
    choices: `numbers from 1 to ${options.length}, with blanks between`
  }
  return required ? kinds[kind] : `${kinds[kind]}, or nothing`
}

type Read = { readonly _tag: "Value"; readonly value: Value } | { readonly _tag: "Nothing" } | {
  readonly _tag: "Wrong"
}

const readValue = ({ kind, options, required }: ElicitationField, line: string): Read => {
  const text = line.trim()
  if (text === "") return required ? wrong : { _tag: "Nothing" }
  const value = (given: Value): Read => ({ _tag: "Value", value: given })
  const option = (number: string): string | undefined =>
    /^\d+$/.test(number) ? options[Number(number) - 1]?.value : undefined
  switch (kind) {
    case "text":
      return value(text)
    case "number":
    case "integer": {
      const number = Number(text)
      return Number.isFinite(number) && (kind === "number" || Number.isSafeInteger(number)) ? value(number) : wrong
    }
    case "boolean":
      return /^y(?:es)?$/i.test(text) ? value(true) : /^no?$/i.test(text) ? value(false) : wrong
    case "choice": {
      const chosen = option(text)
      return chosen === undefined ? wrong : value(chosen)
    }
    case "choices": {
      const chosen = text.split(/[\s,]+/).map(option)
      return chosen.every((one) => one !== undefined) ? value(chosen) : wrong
    }
  }
}

const wrong: Read = { _tag: "Wrong" }
