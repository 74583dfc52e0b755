/**
 * The round trip: a model asks, the gate decides, tools run, the results go back,
 * until the model answers in plain text.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { CallContext } from "../domain/CallContext.ts"
import type { ConversationEnd, ConversationEvent } from "../domain/ConversationEvent.ts"
import { type Block, type Message, problemOf } from "../domain/Message.ts"
import { HistoryBroken } from "../errors/HistoryError.ts"
import type { ModelFailed } from "../errors/ModelError.ts"
import { withheld } from "../permission/withheld.ts"
import type { Pipeline } from "../pipeline.ts"
import { CallEvents } from "../services/CallEvents.ts"
import { ChatModel, type ChatRequest } from "../services/ChatModel.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"
import * as Ledger from "./Ledger.ts"
import { type Heard, listen } from "./listen.ts"

/**
 * Options of a conversation.
 *
 * **Details**
 *
 * - `context`: session, working directory and mode of every call.
 * - `system`: what the model is told before anything else.
 * - `history`: messages of an earlier conversation to go on from.
 * - `maxTurns`: how often the model is asked for one question (50).
 * - `prices`: what tokens cost, so that the end can say what all of it did.
 *
 * @category options
 * @since 0.1.0
 */
export interface Options {
  readonly context: CallContext
  readonly system?: string
  readonly history?: ReadonlyArray<Message>
  readonly maxTurns?: number
  readonly prices?: Ledger.Prices
}

/**
 * How a question is asked.
 *
 * **Details**
 *
 * When `cancel` succeeds, the model is heard no further, running calls end as
 * stopped in the way that it says, and the conversation ends with a history that
 * can be continued.
 *
 * @category options
 * @since 0.1.0
 */
export interface AskOptions {
  readonly cancel?: Effect.Effect<"cancelled" | "interrupted">
}

/**
 * What a question ends with.
 *
 * @category models
 * @since 0.1.0
 */
export type Ended = Required<Pick<EndedEvent, "calls" | "usage">> & EndedEvent

type EndedEvent = Extract<ConversationEvent, { readonly _tag: "ConversationEnded" }>

/**
 * A conversation with a model. It takes one question at a time; others wait.
 *
 * @category models
 * @since 0.1.0
 */
export interface Conversation {
  /** Everything that was said so far. A model always takes it. */
  readonly history: Effect.Effect<ReadonlyArray<Message>>
  /**
   * Asks, and runs what the model wants run until it answers. Never fails:
   * whatever goes wrong is in the end. Interrupted from outside, it leaves a
   * history that can be continued, too.
   */
  readonly ask: (question: string, options?: AskOptions) => Effect.Effect<Ended>
  /** The same, telling what happens; the last event is `ConversationEnded`. */
  readonly stream: (question: string, options?: AskOptions) => Stream.Stream<ConversationEvent>
}

/**
 * Starts a conversation with the model, the tools and the rules that are
 * provided.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<Conversation, HistoryBroken, ChatModel | Pipeline | RuleSources | ToolRegistry> {
  const problem = problemOf(options.history ?? [])
  if (problem !== undefined) return yield* new HistoryBroken({ problem })
  const services = yield* Effect.context<ChatModel | Pipeline | RuleSources | ToolRegistry>()
  const turns = Semaphore.makeUnsafe(1)
  let history: ReadonlyArray<Message> = options.history ?? []

  const carryOn = Effect.fnUntraced(function*(
    question: string,
    { isStopped, publish, stopped }: {
      readonly publish: Publish
      readonly stopped: Stopped
      readonly isStopped: Effect.Effect<boolean>
    }
  ): Effect.fn.Return<Ended, never, ChatModel | Pipeline | RuleSources | ToolRegistry> {
    const { context, maxTurns = 50, prices, system } = options
    const model = yield* ChatModel
    const ledger = Ledger.make()
    const tell: Publish = (event) => {
      if ("id" in event) ledger.saw(event)
      return publish(event)
    }
    const before = history
    history = joined(history, "user", [{ type: "text", text: question }])
    let answer = ""
    let failures = 0

    const end = (why: ConversationEnd, turns: number, error?: string): Effect.Effect<Ended> => {
      const usage = ledger.usage()
      const ended: Ended = {
        _tag: "ConversationEnded",
        why,
        turns,
        answer,
        usage,
        calls: ledger.calls(),
        ...(prices === undefined ? {} : { cost: Ledger.costOf(usage, prices) }),
        ...(error === undefined ? {} : { error })
      }
      return Effect.as(publish(ended), ended)
    }

    /** True once somebody stopped the wait. */
    const wait = (turn: number, error: ModelFailed): Effect.Effect<boolean> => {
      const waitMillis = Math.ceil(error.retryAfterMillis ?? 1_000 * 2 ** failures)
      failures++
      return Effect.andThen(
        tell({ _tag: "ModelRetried", turn, error: error.message, waitMillis }),
        Effect.raceFirst(Effect.as(Effect.sleep(waitMillis), false), Effect.as(stopped, true))
      )
    }

    yield* tell({
      _tag: "ConversationStarted",
      question,
      ...(model.name === undefined ? {} : { model: model.name })
    })
    for (let turn = 1; turn <= maxTurns; turn++) {
      yield* tell({ _tag: "TurnStarted", turn })
      let heard: Heard
      for (;;) {
        heard = yield* listen({
          turn,
          request: { system, messages: history, tools: yield* offered(context) },
          context,
          known: idsOf(history),
          stopped,
          publish: tell
        }).pipe(Effect.provideService(CallEvents, tell), Effect.scoped)
        if (heard.usage !== undefined) ledger.spent(heard.usage)
        if (heard.end._tag !== "Broken" || heard.results.length > 0) break
        if (!mayRetry(heard.end.error, failures)) break
        if (yield* wait(turn, heard.end.error)) {
          heard = { ...heard, content: [], text: "", end: { _tag: "Stopped" } }
          break
        }
      }

      // INVARIANT: an answer and the results of its calls enter the history in one step.
      const refused = heard.end._tag === "Ended" && heard.end.stop === "refusal"
      const kept = refused && heard.results.length === 0 ? [] : heard.content
      if (kept.length > 0) history = joined(history, "assistant", kept)
      if (heard.results.length > 0) history = joined(history, "user", heard.results)
      if (heard.text !== "") answer = heard.text

      if (heard.end._tag === "Stopped") return yield* end("interrupted", turn)
      if (heard.end._tag === "Broken") {
        const { error } = heard.end
        if (heard.results.length === 0 || !mayRetry(error, failures)) {
          return yield* end("failed", turn, whyGivenUp(error))
        }
      } else {
        failures = 0
      }
      if (refused) {
        // What was refused would be refused again: a question of which nothing came does not stand.
        if (ledger.calls().length === 0) history = before
        return yield* end("refused", turn)
      }
      const turnEnded = ledger.turnEnded()
      if (turnEnded !== undefined) return yield* end("stoppedByHook", turn, turnEnded)
      if (heard.end._tag === "Broken") {
        if (yield* wait(turn, heard.end.error)) return yield* end("interrupted", turn)
      } else if (heard.results.length === 0 && heard.end.stop !== "pause") {
        return yield* end(heard.end.stop === "cutOff" ? "cutOff" : "answered", turn)
      }
      // Calls were stopped when the model had said everything: it is not asked what it thinks of that.
      if (yield* isStopped) return yield* end("interrupted", turn)
    }
    return yield* end("turnLimit", maxTurns)
  })

  const asked = (question: string, { cancel }: AskOptions, publish: Publish): Effect.Effect<Ended> =>
    turns.withPermit(Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const stop = Deferred.makeUnsafe<"cancelled" | "interrupted">()
        // Whoever has gone hears nothing more, and what is on its way to them must hold nobody up.
        const gone = Deferred.makeUnsafe<void>()
        const work = carryOn(question, {
          stopped: Deferred.await(stop),
          isStopped: Deferred.isDone(stop),
          publish: (event) => Effect.raceFirst(Deferred.await(gone), publish(event))
        })
        // Interruption must not tear the history: the work ends by itself, and is waited for.
        const fiber = yield* Effect.forkDetach(
          Effect.scoped(Effect.andThen(
            cancel === undefined
              ? Effect.void
              : Effect.forkScoped(Effect.flatMap(cancel, (how) => Deferred.succeed(stop, how))),
            work
          ))
        )
        return yield* restore(Fiber.join(fiber)).pipe(
          Effect.onInterrupt(() => {
            Deferred.doneUnsafe(gone, Effect.void)
            Deferred.doneUnsafe(stop, Effect.succeed("interrupted"))
            return Fiber.await(fiber)
          })
        )
      })
    )).pipe(Effect.provideContext(services))

  return {
    history: Effect.sync(() => history),
    ask: (question, options = {}) =>
      Effect.flatMap(
        CallEvents,
        (publish) => asked(question, options, (event) => "id" in event ? publish(event) : Effect.void)
      ),
    stream: (question, options = {}) =>
      Stream.callback<ConversationEvent>(
        (queue) =>
          Effect.andThen(
            asked(question, options, (event) => Effect.asVoid(Queue.offer(queue, event))),
            Queue.end(queue)
          ),
        { bufferSize: 16, strategy: "suspend" }
      )
  }
})

type Publish = (event: ConversationEvent) => Effect.Effect<void>

type Stopped = Effect.Effect<"cancelled" | "interrupted">

/** Long enough for a busy hour, short enough that nobody believes that it hangs. */
const maxFailures = 4
const maxWaitMillis = 120_000

const mayRetry = (error: ModelFailed, failures: number): boolean =>
  error.retryable && failures < maxFailures && (error.retryAfterMillis ?? 0) <= maxWaitMillis

/** A model that wants to be left alone for longer than it is waited for says for how long. */
const whyGivenUp = ({ message, retryAfterMillis = 0, retryable }: ModelFailed): string =>
  retryable && retryAfterMillis > maxWaitMillis
    ? `${message}, and can be asked again in ${Math.ceil(retryAfterMillis / 60_000)} minutes`
    : message

const offered = Effect.fnUntraced(function*(
  context: CallContext
): Effect.fn.Return<ChatRequest["tools"], never, RuleSources | ToolRegistry> {
  const policy = yield* (yield* RuleSources).policy(context)
  const tools = yield* (yield* ToolRegistry).all
  return tools.filter((tool) => !withheld(policy, tool)).map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.jsonSchema()
  }))
})

/** Two messages of one side in a row are one: results stay before what is said after them. */
const joined = (
  history: ReadonlyArray<Message>,
  role: Message["role"],
  content: ReadonlyArray<Block>
): ReadonlyArray<Message> => {
  const last = history.at(-1)
  return last?.role === role
    ? [...history.slice(0, -1), { role, content: [...last.content, ...content] }]
    : [...history, { role, content }]
}

const idsOf = (history: ReadonlyArray<Message>): ReadonlySet<string> =>
  new Set(
    history.flatMap(({ content, role }) =>
      role === "user" ?
        [] :
        content.flatMap((block) => block.type === "tool_use" && typeof block["id"] === "string" ? [block["id"]] : [])
    )
  )
