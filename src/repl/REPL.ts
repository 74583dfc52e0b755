/**
 * The tool that runs JavaScript, in which every other tool is a function.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed, ToolTimedOut } from "../errors/ExecuteError.ts"
import type { Outcome } from "./evaluate.ts"
import type { Said } from "./messages.ts"
import { type Ended, keptMinutes, Sessions } from "./Sessions.ts"

const standardMillis = 120_000
const longestMillis = 600_000

const Input = Schema.Struct({
  code: Schema.String.annotate({
    description: "The JavaScript to run; the value of its last expression is the result"
  }),
  timeout: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: longestMillis })).annotate({
      description: `How long it may take, in milliseconds (${standardMillis} when left out, ${longestMillis} at most)`
    })
  )
})

/**
 * What a call gives: what the code wrote to the console, and its value as text.
 *
 * @category models
 * @since 0.1.0
 */
export interface Result {
  readonly output: string
  readonly value: string
}

/**
 * Runs JavaScript in the session's own virtual machine.
 *
 * **Details**
 *
 * It needs nobody's permission by itself, since alone it reaches nothing: each
 * call that it makes is decided for itself.
 *
 * @category tools
 * @since 0.1.0
 */
export const REPL: Tool.Tool<Sessions> = Tool.make({
  name: "REPL",
  origin: "builtin",
  description: [
    "Runs JavaScript and returns the value of its last expression, after what it wrote to the console.",
    "What it declares stays for later calls, as long as the program that runs it; `await` works at the top level.",
    "There is no file, network, process or module in it, and no timer. Instead every other tool is an async function:",
    "`await tools.Read({ file_path })` gives the text of its result, and throws where the tool fails or is denied.",
    "Use it to call many tools and keep only what matters of their results, with `Promise.all` for several at once."
  ].join(" "),
  input: Input,
  validateInput: ({ code }) =>
    Effect.succeed(
      code.includes("\0")
        ? { _tag: "Refused", message: "the code holds a NUL character; write it as `\\0`", code: 1 }
        : { _tag: "Valid" }
    ),
  check: () =>
    Effect.succeed({ _tag: "Allow", reason: "it reaches nothing by itself: what it calls is decided for itself" }),
  handler: Effect.fnUntraced(function*(
    { code, timeout = standardMillis },
    { call, progress, tools }
  ): Effect.fn.Return<Result, ToolFailed | ToolTimedOut, Sessions> {
    if (yield* Inside) return yield* new ToolFailed({ reason: "code of a `REPL` call can't call `REPL` again" })
    let output = ""
    const said = ({ channel, text }: Said): Effect.Effect<void> => {
      output += text
      return progress({ channel, text })
    }
    const { evaluate } = yield* Sessions
    const outcome = yield* evaluate(call.session, { code, limitMillis: timeout, said, tools: tools ?? noTools }).pipe(
      Effect.provideService(Inside, true)
    )
    const notice = outcome.before === undefined ? "" : anew[outcome.before]
    switch (outcome._tag) {
      case "Value":
        return output === ""
          ? { output, value: `${notice}${outcome.text}` }
          : { output: `${notice}${output}`, value: outcome.text }
      case "Thrown":
        return yield* new ToolFailed({ output: `${notice}${output}`.trimEnd(), reason: outcome.text })
      case "Broken":
        return yield* new ToolFailed({
          output: output.trimEnd(),
          reason: `the session was ended, since ${outcome.reason}; ${isLost}`
        })
      case "TimedOut":
        return yield* new ToolTimedOut({ output: `${output}${stateText(outcome)}`, limitMillis: timeout })
    }
  }),
  render: ({ output, value }: Result) => value === "undefined" && output !== "" ? output.trimEnd() : `${output}${value}`
})

/** Whether this is within a call of the tool: another one of the session would wait for it, and it for that one. */
const Inside = Context.Reference<boolean>("toolgate/repl/REPL/Inside", { defaultValue: () => false })

const noTools: Tool.Tools = {
  names: Effect.succeed([]),
  call: () => Effect.die("a tool without a pipeline has no others")
}

const anew: { readonly [why in Ended]: string } = {
  room: "[this session had been ended to make room for others, and began anew: what it had declared is lost]\n",
  unused: `[this session had been ended after ${keptMinutes} minutes without a call, and began anew: what it had ` +
    "declared is lost]\n"
}

const isLost = "what it had declared is lost, and the next call begins anew"

const stateText = ({ lost }: Outcome): string =>
  lost ? `[${isLost}]` : "[the code only waited; what it had declared is kept]"
