/**
 * `toolgate chat`: asks a model, and runs what it wants run.
 *
 * @since 0.1.0
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { root } from "./root.ts"

const given = {
  question: Argument.String("question").pipe(
    Argument.withDescription(
      "What to ask; `-` reads standard input, `@FILE` a file. Left out: asked of you, line by line"
    ),
    Argument.optional
  ),
  prompt: Flag.String("prompt").pipe(
    Flag.withAlias("p"),
    Flag.withMetavar("QUESTION"),
    Flag.withDescription("The same as QUESTION"),
    Flag.optional
  ),
  continued: Flag.Boolean("continue").pipe(
    Flag.withAlias("c"),
    Flag.withoutNegation,
    Flag.withDescription("Go on with the last conversation of the session, the directory's own or that of --session"),
    Flag.withDefault(false)
  ),
  model: Flag.String("model").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription("Which model is asked (ANTHROPIC_MODEL)"),
    Flag.optional
  ),
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDescription("Where it is: any address that speaks the Messages API (ANTHROPIC_BASE_URL)"),
    Flag.optional
  ),
  maxTurns: Flag.Int("max-turns").pipe(
    Flag.withMetavar("COUNT"),
    Flag.withDescription("How often the model is asked for one question"),
    Flag.withDefault(50)
  ),
  prices: Flag.String("prices").pipe(
    Flag.withMetavar("IN,OUT[,READ,WRITE]"),
    Flag.withDescription(
      "What a million tokens cost, so that the cost is told, such as 3,15; those read from and written to the cache " +
        "cost 0.1 and 1.25 times IN where that is not said"
    ),
    Flag.optional
  )
}

/**
 * What the command line says about a chat.
 *
 * @category models
 * @since 0.1.0
 */
export type Given = Command.Command.Config.Infer<typeof given>

/**
 * Command that converses with a model.
 *
 * @category commands
 * @since 0.1.0
 */
export const chat = Command.make(
  "chat",
  given,
  Effect.fnUntraced(function*(given) {
    const { runChat } = yield* Effect.promise(() => import("./runChat.ts"))
    yield* runChat(given, yield* root)
  })
).pipe(
  Command.withDescription(
    "Asks a language model, runs the tools that it asks for as `toolgate call` would, and goes on until it answers. " +
      "It needs the package @anthropic-ai/sdk, and a key in ANTHROPIC_API_KEY unless --base-url needs none. " +
      "Exit codes: 0 answered, 1 not answered to the end, 2 wrong usage, 130 interrupted, 143 terminated."
  ),
  Command.withShortDescription("Ask a model that uses tools"),
  Command.withExamples([
    { command: "toolgate chat \"What does this project do?\"", description: "One question" },
    { command: "toolgate chat", description: "One after the other; Ctrl-C stops an answer, Ctrl-D ends" },
    { command: "toolgate chat -c \"And the tests?\"", description: "Go on where the last one here ended" },
    {
      command: "git diff | toolgate chat - --ask deny --output json",
      description: "From a pipe, with nobody to ask, for a program"
    },
    {
      command: "toolgate chat -p \"Which tests fail?\" --output stream-json > run.ndjson",
      description: "Everything that happened, one event a line"
    }
  ])
)
