/**
 * Runs the conversation of `toolgate chat`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Conversation from "../conversation/Conversation.ts"
import type { Prices } from "../conversation/Ledger.ts"
import * as ChatModel from "../layers/ChatModel.ts"
import { McpServers } from "../services/McpServers.ts"
import type { Given } from "./chat.ts"
import * as ChatReporter from "./ChatReporter.ts"
import { Ended, Misused } from "./Ended.ts"
import { gate } from "./gate.ts"
import * as History from "./History.ts"
import { awaitServers } from "./mcp/awaitServers.ts"
import { mindPolicy } from "./mindPolicy.ts"
import { question } from "./question.ts"
import { readText } from "./readText.ts"
import type { Shared } from "./root.ts"
import * as Stop from "./Stop.ts"
import * as Surroundings from "./Surroundings.ts"

/**
 * Asks what was asked, or one question after the other.
 *
 * @category commands
 * @since 0.1.0
 */
export const runChat = Effect.fn("cli.chat")(function*(given: Given, shared: Shared) {
  const asked = yield* questionOf(given)
  const model = yield* modelOf(given, process.env)
  const prices = yield* pricesOf(given)
  if (given.maxTurns < 1) return yield* new Misused({ problem: "`--max-turns` has to be 1 at least" })
  const context = yield* Surroundings.context(shared)
  const history = yield* History.open(context.session, given.continued)
  const layer = yield* gate(shared)
  const form = Surroundings.form(shared)
  const { canColor } = yield* TerminalCapabilities
  const reporter = form === "text"
    ? yield* ChatReporter.text(canColor)
    : form === "json"
    ? ChatReporter.json
    : ChatReporter.stream

  const code = yield* Effect.gen(function*() {
    yield* mindPolicy(context)
    // They start while a person still thinks. The first answer should know of their tools; a slow one's come later.
    yield* Effect.forkChild((yield* McpServers).ready)
    const servers = yield* Effect.cached(awaitServers("10 seconds"))
    const conversation = yield* Conversation.make({
      context,
      system: systemOf(context.cwd),
      maxTurns: given.maxTurns,
      history: history.earlier,
      ...(prices === undefined ? {} : { prices })
    }).pipe(Effect.orDie)
    const ask = Effect.fnUntraced(function*(text: string) {
      yield* servers
      return yield* Stop.finishing((stopped) =>
        conversation.stream(text, { cancel: stopped }).pipe(
          Stream.tap((event) => history.keep(event, conversation.history)),
          Stream.tap(reporter.event),
          Stream.runFold(() => 1, (code, event) =>
            event._tag !== "ConversationEnded"
              ? code
              : event.why === "answered"
              ? 0
              : event.why === "interrupted"
              ? Stop.exitCode()
              : 1)
        )
      )
    })
    if (asked !== undefined) return yield* ask(asked)
    let last = 0
    for (;;) {
      const next = yield* question
      if (next === undefined) return last
      if (next === "") continue
      last = yield* ask(next)
      // Ctrl-C stopped that answer and nothing else; whoever wants to end the program does so at the question.
      if (last !== 0 && !Stop.forget()) return last
    }
  }).pipe(Effect.provide(Layer.merge(layer, ChatModel.layerAnthropic(model))))
  if (code !== 0) return yield* new Ended({ code })
})

/** Undefined where questions are asked of the person at the terminal. */
const questionOf = Effect.fnUntraced(function*(
  { prompt, question }: Given
): Effect.fn.Return<string | undefined, Misused> {
  if (Option.isSome(prompt) && Option.isSome(question)) {
    return yield* new Misused({ problem: "`--prompt` and QUESTION are the same, give one of them" })
  }
  const given = Option.orElse(question, () => prompt)
  if (Option.isNone(given) && process.stdin.isTTY) return undefined
  const text = yield* readText(Option.getOrElse(given, () => "-"), "QUESTION")
  return text.trim() === "" ? yield* new Misused({ problem: "QUESTION is empty" }) : text
})

const modelOf = Effect.fnUntraced(function*(
  given: Given,
  env: { readonly [name: string]: string | undefined }
): Effect.fn.Return<ChatModel.AnthropicChatOptions, Misused> {
  const set = (name: string): string | undefined => env[name]?.trim() === "" ? undefined : env[name]?.trim()
  const model = Option.getOrUndefined(given.model) ?? set("ANTHROPIC_MODEL")
  if (model === undefined) {
    return yield* new Misused({ problem: "no model is named, give `--model` or set ANTHROPIC_MODEL" })
  }
  const baseURL = Option.getOrUndefined(given.baseUrl) ?? set("ANTHROPIC_BASE_URL")
  if (baseURL !== undefined && !URL.canParse(baseURL)) {
    return yield* new Misused({ problem: `\`${baseURL}\` is no address, write one such as \`https://example.com\`` })
  }
  const address = baseURL === undefined ? undefined : new URL(baseURL)
  if (address !== undefined && `${address.username}${address.password}` !== "") {
    return yield* new Misused({
      problem: "the model's address holds a name or a password, which nobody would send: set ANTHROPIC_API_KEY instead"
    })
  }
  if (set("ANTHROPIC_API_KEY") !== undefined || set("ANTHROPIC_AUTH_TOKEN") !== undefined) return { model, baseURL }
  if (baseURL === undefined) {
    return yield* new Misused({
      problem: "there is no key, set ANTHROPIC_API_KEY, or name another address with `--base-url`"
    })
  }
  // An address of somebody's own may want none, but the client does.
  return { model, baseURL, apiKey: Redacted.make("none") }
})

const pricesOf = Effect.fnUntraced(function*({ prices }: Given): Effect.fn.Return<Prices | undefined, Misused> {
  if (Option.isNone(prices)) return undefined
  const numbers = prices.value.split(",").map((number) => number.trim())
  const [input, output, ...cache] = numbers.map(Number)
  if (!numbers.every((number) => /^\d+(\.\d+)?$/.test(number)) || input === undefined || output === undefined) {
    return yield* new Misused({
      problem: "`--prices` are two numbers, for a million tokens in and out, such as `3,15`"
    })
  }
  if (cache.length !== 0 && cache.length !== 2) {
    return yield* new Misused({
      problem: "`--prices` for the cache are two numbers more, read and written, such as `3,15,0.3,3.75`"
    })
  }
  // What the Messages API asks for its cache, as a part of the price of input.
  const [cacheRead = input * 0.1, cacheWrite = input * 1.25] = cache
  return { input, output, cacheRead, cacheWrite }
})

const systemOf = (cwd: string): string =>
  `You help a person at a command line, in the folder ${cwd}. Use the tools for what you have to look up or do. ` +
  "Every call goes through a gate: where one is denied, don't try to get around it, but go another way or say what " +
  "would have to be allowed. Answer briefly, in plain text."
