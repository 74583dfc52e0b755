/**
 * Stage 5: runs the tool. However it ends, the call goes on with a settled
 * success or failure.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SettledCall, Settlement } from "../domain/Call.ts"
import { resultLimit } from "../domain/Policy.ts"
import { asText, type Output, type Shown, type ToolContext } from "../domain/Tool.ts"
import { type ExecuteError, isExecuteError, ToolFailed, ToolTimedOut } from "../errors/ExecuteError.ts"
import { messageOf } from "../errors/messageOf.ts"
import { CallEvents, HearsProgress, unwatched } from "../services/CallEvents.ts"
import { Leftover } from "../services/Leftover.ts"
import { SessionStore } from "../services/SessionStore.ts"
import type { PermittedCall } from "./permission.ts"

/**
 * Runs the tool of a permitted call.
 *
 * **Details**
 *
 * A handler that fails, throws or dies settles as a failure. Interruption stays
 * interruption.
 *
 * @category stages
 * @since 0.1.0
 */
export const execute = (
  call: PermittedCall,
  services: Context.Context<SessionStore>
): Effect.Effect<SettledCall<ExecuteError>> => {
  const clock = Context.get(services, Clock.Clock)
  const started = clock.currentTimeMillisUnsafe()
  const ended = (settled: Settlement<ExecuteError>): SettledCall<ExecuteError> => ({
    ...call,
    settled,
    durationMillis: clock.currentTimeMillisUnsafe() - started
  })
  return Effect.matchCause(handled(call, services), {
    onSuccess: (output) => ended({ _tag: "Success", output }),
    // Interruption from outside never comes here: it ends the fiber. One that the tool caused itself is its failure.
    onFailure: (cause) =>
      ended({
        _tag: "Failure",
        error: Cause.hasInterruptsOnly(cause)
          ? new ToolFailed({ reason: "the tool stopped itself" })
          : toExecuteError(Cause.squash(cause))
      })
  })
}

const handled = (
  call: PermittedCall,
  services: Context.Context<SessionStore>
): Effect.Effect<Output, unknown> => {
  const context = toolContext(call, services)
  return Effect.onExit(limited(call, Effect.suspend(() => call.invocation.run(context))), () => {
    controllers.get(context)?.abort()
    return Effect.void
  })
}

const limited = (
  call: PermittedCall,
  run: Effect.Effect<Output, unknown>
): Effect.Effect<Output, unknown> => {
  const limitMillis = call.tool.timeoutMillis
  return limitMillis === undefined ? run : Effect.timeoutOrElse(run, {
    duration: limitMillis,
    orElse: () => Effect.fail(new ToolTimedOut({ limitMillis }))
  })
}

const toolContext = (call: PermittedCall, services: Context.Context<SessionStore>): ToolContext => {
  const store = Context.get(services, SessionStore)
  const publish = Context.get(services, CallEvents)
  const heard = publish !== unwatched && Context.get(services, HearsProgress)
  const leftover = Context.get(services, Leftover)
  const { context, policy, tool, tools, use } = call
  return withSignal({
    call: context,
    id: use.id,
    maxResultSizeChars: resultLimit(policy, tool.name),
    tools,
    progress: ({ channel, text }) => heard ? publish({ _tag: "Progress", id: use.id, channel, text }) : Effect.void,
    heard,
    seen: (path) => Effect.orElseSucceed(store.seen(context.session, path), () => undefined),
    saw: (path, state) => Effect.ignore(store.saw(context.session, path, state)),
    stood: (folder) =>
      Effect.ignore(
        store.update(context.session, (session) => ({
          ...session,
          standing: { ...session.standing, [context.cwd]: folder }
        }))
      ),
    leave: leftover === undefined ? undefined : (shown: Shown) => {
      leftover.shown = shown
    },
    mayRead: (path) => call.guard("read", path),
    mayEdit: (path) => call.guard("edit", path)
  })
}

/** Code outside Effect hears by a signal that its call has ended. Most tools have none: it is made when it is asked for. */
const withSignal = (context: Omit<ToolContext, "signal">): ToolContext =>
  // The type does not know that the property is there from now on.
  Object.defineProperty(context, "signal", signal) as ToolContext

// One for all: a getter of each context's own would cost more than everything else in it.
const signal: PropertyDescriptor & ThisType<ToolContext> = {
  enumerable: true,
  get() {
    const controller = controllers.get(this) ?? new AbortController()
    controllers.set(this, controller)
    return controller.signal
  }
}

const controllers = new WeakMap<ToolContext, AbortController>()

/** What was thrown may throw when it is looked at, which is no more than a tool that failed. */
const toExecuteError = (error: unknown): ExecuteError =>
  Result.getOrElse(
    Result.try(() => isExecuteError(error) ? error : new ToolFailed({ reason: reasonOf(error), cause: error })),
    () => new ToolFailed({ reason: noReason })
  )

const noReason = "the tool failed without saying why"

/** A failure without a message still has its name and fields, which a model reads as it would a value. */
const reasonOf = (error: unknown): string => {
  const reason = messageOf(error) ?? (error === null ? "" : asText(error))
  return reason === "" || reason === "{}" ? noReason : reason
}
