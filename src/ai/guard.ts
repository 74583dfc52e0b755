/**
 * The gate around an `effect/ai` Toolkit: one line for an application that has a
 * `LanguageModel` call its tools.
 *
 * @since 0.1.0
 */
import * as AiError from "effect/ai/AiError"
import * as Prompt from "effect/ai/Prompt"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { CallContext } from "../domain/CallContext.ts"
import type { Outcome } from "../domain/CallEvent.ts"
import { asText } from "../domain/Tool.ts"
import { textOf, type ToolResult } from "../domain/ToolResult.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { Pipeline } from "../pipeline.ts"
import { BroughtTools } from "../services/BroughtTools.ts"
import { CallEvents } from "../services/CallEvents.ts"
import { type Governable, lastOf, runsElsewhere } from "./fromToolkit.ts"
import { render, toOutput, toTool } from "./toTool.ts"

/**
 * Gives a Toolkit whose handlers go through the pipeline: pass
 * `toolkit: guard(toolkit)` where `toolkit` was, and provide a pipeline.
 *
 * **Details**
 *
 * - What is permitted runs with the handlers that are provided, and gives the
 *   value that it always gave. What the gate adds to its text, such as a hook's
 *   word or the path of a result that is too long, is what the model reads.
 * - A denial is a result that failed, of the type `execution-denied`, in every
 *   failure mode, as where a person declines.
 * - An input that can't be read, and a handler that fails, end as the tool's
 *   failure mode says. A defect of a handler stays one.
 * - `needsApproval` is asked of the gate's own approver, so that no approval
 *   request goes back to the application.
 * - Calls of one answer that may not overlap run alone; ten at most run together.
 * - Tools that a provider runs itself are left as they are.
 *
 * **Example** (A gate that allows nothing)
 *
 * ```ts
 * import * as AiTool from "effect/ai/Tool"
 * import * as Toolkit from "effect/ai/Toolkit"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import { guard } from "toolgate/ai/guard"
 *
 * const toolkit = Toolkit.make(AiTool.make("Refund", { parameters: Schema.Struct({ cents: Schema.Int }) }))
 *
 * Effect.isEffect(guard(toolkit)) // => true
 * ```
 *
 * @category combining
 * @since 0.1.0
 */
export const guard = <Tools extends Record<string, AiTool.Any>>(
  toolkit: Toolkit.Toolkit<Tools> & Governable<Tools>,
  options: { readonly context?: CallContext } = {}
): Effect.Effect<Toolkit.WithHandler<Tools>, never, AiTool.HandlersFor<Tools> | Pipeline> =>
  Effect.gen(function*() {
    const pipeline = yield* Pipeline
    const inner = yield* (toolkit as Toolkit.Toolkit<Tools>)
    const turns: Turns = Semaphore.makeUnsafe(together)

    const handle = (name: string, params: unknown, toolCallId?: string, parsing?: unknown) => {
      const tool = Object.hasOwn(inner.tools, name) ? inner.tools[name] : undefined
      if (tool === undefined || runsElsewhere(tool)) return inner.handle(name, params as never, toolCallId)
      return Effect.map(Effect.context<never>(), (services) =>
        Stream.callback<Handled, unknown>((queue) =>
          Effect.gen(function*() {
            const id = yield* newId(toolCallId)
            const last = yield* governed({
              tool,
              id,
              params,
              turns,
              preliminary: (result) =>
                Effect.asVoid(Queue.offer(queue, result)),
              // What the handler needs for each call is in the context of whoever handles it, as its type says.
              run: (input) =>
                Stream.provideContext(
                  Stream.unwrap(inner.handle(name, input as never, id, parsing as never)),
                  services
                ) as Stream.Stream<Handled, unknown>,
              call: (use) => pipeline.run(use, options.context)
            })
            yield* Queue.offer(queue, last)
            yield* Queue.end(queue)
          })
        ))
    }
    return {
      // What the gate asks itself must not be asked again; all else of each tool stays.
      tools: Object.fromEntries(
        Object.entries(inner.tools).map(([name, tool]) => [
          name,
          runsElsewhere(tool) || tool.needsApproval === undefined ? tool : tool.setNeedsApproval(false)
        ])
      ),
      handle
      // The names are those of `Tools` and `handle` gives for each what the Toolkit's own does.
    } as unknown as Toolkit.WithHandler<Tools>
  })

type Handled = AiTool.HandlerResult<AiTool.Any>

type Turns = Semaphore.Semaphore

const together = 10

/** The queue whose turn a handler runs in, so that a call from inside of it does not wait for itself. */
const Inside = Context.Reference<Turns | undefined>("toolgate/ai/guard/Inside", { defaultValue: () => undefined })

interface Governed {
  readonly tool: AiTool.Any
  readonly id: string
  readonly params: unknown
  readonly turns: Turns
  readonly preliminary: (result: Handled) => Effect.Effect<void>
  readonly run: (input: unknown) => Stream.Stream<Handled, unknown>
  readonly call: (use: ToolUse) => Effect.Effect<ToolResult>
}

/** Takes a call through the gate, and says what it ends with as the Toolkit would. */
const governed = Effect.fnUntraced(function*(
  { call, id, params, preliminary, run, tool, turns }: Governed
): Effect.fn.Return<Handled, unknown> {
  const seen: { ran?: Exit.Exit<Handled, unknown>; outcome: Outcome } = { outcome: "internal" }
  const brought = toTool(tool, (input, context) =>
    lastOf(tool, run(input), (result) =>
      Effect.andThen(
        preliminary(result),
        context.progress({ channel: "message", text: `${asText(result.encodedResult)}\n` })
      )).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            seen.ran = exit
          })
        ),
        toOutput,
        Effect.provideService(BroughtTools, []),
        Effect.provideService(Inside, turns)
      ), id)

  const publish = yield* CallEvents
  const asked = call({ type: "tool_use", id, name: tool.name, input: params }).pipe(
    Effect.provideService(BroughtTools, [brought]),
    Effect.provideService(CallEvents, (event) => {
      if (event._tag === "Finished") seen.outcome = event.outcome
      return publish(event)
    })
  )
  const width = Context.get(tool.annotations, AiTool.Readonly) ? 1 : together
  const result = yield* (yield* Inside) === turns ? asked : turns.withPermits(width)(asked)

  const { outcome, ran } = seen
  if (ran !== undefined && (outcome === "done" || outcome === "failed")) {
    const handled = yield* ran
    return outcome === "done" ? withContent(handled, result) : handled
  }
  const reason = textOf(result.content)
  if (outcome === "denied" || outcome === "stopped") {
    const refused = { type: outcome === "denied" ? "execution-denied" : "execution-interrupted", reason } as const
    return failed(refused, refused, "handler")
  }
  const wrong = outcome === "wrong"
  const error = AiError.make({
    module: "toolgate",
    method: `${tool.name}.handle`,
    reason: wrong
      ? new AiError.ToolParameterValidationError({ toolName: tool.name, description: reason })
      : new AiError.UnknownError({ description: reason })
  })
  const origin = wrong ? "parameters" : "result"
  if (tool.failureMode === "error") {
    return yield* Effect.failCause(Cause.annotate(Cause.fail(error), Context.make(Toolkit.FailureOrigin, origin)))
  }
  return failed(error, yield* Effect.orDie(Schema.encodeEffect(AiError.AiError)(error)), origin)
})

const failed = (result: unknown, encodedResult: unknown, failureOrigin: AiTool.FailureOrigin): Handled => ({
  result,
  encodedResult,
  isFailure: true,
  failureOrigin,
  preliminary: false
})

/** Where the gate changed what the model reads, it reads that; files stay beside it. */
const withContent = (handled: Handled, { content }: ToolResult): Handled => {
  if (JSON.stringify(content) === JSON.stringify(render(handled))) return handled
  const files = handled.modelOutput?.filter(({ type }) => type === "file") ?? []
  return { ...handled, modelOutput: [Prompt.textPart({ text: textOf(content) }), ...files] }
}

const newId = (given: string | undefined): Effect.Effect<string> =>
  given === undefined || given === ""
    ? Effect.map(Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER), (number) => `call_${number.toString(36)}`)
    : Effect.succeed(given)
