/**
 * A hook as an effect of the application.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { HookEvent } from "../../domain/Hook.ts"
import type { OwnHook, OwnHookAnswer, OwnHookCall } from "../../domain/OwnHook.ts"
import { messageOf } from "../../errors/messageOf.ts"
import { asJson } from "./hookInput.ts"
import { outputOf } from "./HookOutput.ts"
import type { HookEnd } from "./HookProcess.ts"
import type { NotRun } from "./HookResult.ts"
import { cut, printable } from "./printable.ts"

/**
 * Runs a hook of the application. One that fails, throws or dies has not
 * decided.
 *
 * @category running
 * @since 0.1.0
 */
export const callOwn = (hook: OwnHook, call: OwnHookCall): Effect.Effect<HookEnd | NotRun> =>
  Effect.suspend(() => hook.run(call)).pipe(
    Effect.map((answer) => ended(call.event, answer ?? {})),
    Effect.catchCause((cause): Effect.Effect<HookEnd | NotRun> =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed({
        ending: { _tag: "NotRun", reason: `failed: ${whyOf(Cause.squash(cause))}` }
      })
    )
  )

/**
 * The end of a hook that said something, in the form that programs print.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ended = (event: HookEvent, answer: OwnHookAnswer): HookEnd => ({
  ending: { _tag: "Exited", code: 0 },
  stdout: outputOf(Object.keys(answer).length === 0 ? "" : asJson(outputFor(event, answer))),
  stderr: outputOf("")
})

const outputFor = (event: HookEvent, answer: OwnHookAnswer): object => {
  const { context, decision, endsTurn, input, message, output, reason } = answer
  const isAfter = event !== "PreToolUse" && event !== "PermissionRequest"
  return {
    ...(endsTurn === true ? { continue: false, stopReason: reason } : {}),
    ...(message === undefined ? {} : { systemMessage: message }),
    ...(isAfter && decision === "deny" ? { decision: "block", reason } : {}),
    hookSpecificOutput: {
      hookEventName: event,
      ...(event === "PreToolUse" && decision !== undefined
        ? { permissionDecision: decision, permissionDecisionReason: reason }
        : {}),
      ...(event === "PreToolUse" && input !== undefined ? { updatedInput: input } : {}),
      ...(event === "PermissionRequest" && decision !== undefined && decision !== "ask"
        ? { decision: { behavior: decision, message: reason } }
        : {}),
      ...(output === undefined ? {} : { updatedToolOutput: output }),
      ...(context === undefined ? {} : { additionalContext: context })
    }
  }
}

const whyOf = (error: unknown): string => {
  const tag = Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : "an error"
  return cut(printable(messageOf(error) ?? tag).replace(/\s+/g, " ").trim(), 200)
}
