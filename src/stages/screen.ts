/**
 * Stage 3: hooks and the classifier start together. The hooks are waited for;
 * the classifier is left running for whoever needs its answer.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { ScreenedCall, ValidCall } from "../domain/Call.ts"
import type { ClassifierVerdict } from "../domain/ClassifierVerdict.ts"
import { type HookOutcome, silent } from "../domain/Hook.ts"
import type { Note } from "../domain/Note.ts"
import type { Policy } from "../domain/Policy.ts"
import { InputInvalid, type ValidateError } from "../errors/ValidateError.ts"
import { Classifier } from "../services/Classifier.ts"
import { HookRunner } from "../services/HookRunner.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { hookCall } from "./hookCall.ts"
import { validateInput } from "./validate.ts"

/**
 * Runs the hooks before a tool beside a speculative classification.
 *
 * **Details**
 *
 * An input that hooks rewrote is validated like any other, and then stands
 * beside the original: a classification of the original is thrown away.
 *
 * @category stages
 * @since 0.1.0
 */
export const screen = (
  call: ValidCall,
  services: Context.Context<Classifier | HookRunner | RuleSources>
): Effect.Effect<ScreenedCall, ValidateError, Classifier | Scope.Scope> =>
  Effect.flatMapEager(Context.get(services, RuleSources).policy(call.context), (policy) => {
    const classifier = Context.get(services, Classifier)
    return Effect.flatMapEager(start(judged(call, classifier, policy)), (judging) => {
      const hooked = Context.get(services, HookRunner).preToolUse(hookCall(call, policy))
      return Effect.flatMapEager(hooked, (hook) =>
        hook === silent
          ? Effect.succeed({ ...call, hook, original: undefined, ...judging, policy })
          : heeding(call, hook, judging, policy))
    })
  })

/** What a classifier says once somebody waits for it, and its end. */
type Judging = Required<Pick<ScreenedCall, "pending" | "drop">>

const heeding = Effect.fnUntraced(function*(
  call: ValidCall,
  hook: HookOutcome,
  { drop, pending }: Judging,
  policy: Policy
): Effect.fn.Return<ScreenedCall, ValidateError, Classifier | Scope.Scope> {
  const { invocation, tool } = call
  const notes = [...call.notes, ...hook.messages.map((text): Note => ({ audience: "person", text }))]
  if (hook.rewritten === undefined || hook.decision === "deny") {
    return { ...call, notes, hook, original: undefined, pending, drop }
  }
  yield* drop
  const told: Note = { audience: "person", text: `a hook rewrote the input of \`${tool.name}\`` }
  const rewritten = yield* Effect.mapError(
    validateInput({ ...call, notes: [...notes, told] }, hook.rewritten),
    (error) => error._tag === "InputInvalid" ? new InputInvalid({ ...error, rewritten: true }) : error
  )
  return {
    ...rewritten,
    hook,
    original: { invocation, ask: call.ask },
    ...(yield* start(judged(rewritten, yield* Classifier, policy)))
  }
})

/** What is described for Bash holds every tool back that runs a shell line, and permits Bash alone. */
const judged = (
  { invocation, tool }: ValidCall,
  classifier: Classifier["Service"],
  policy: Policy
): Effect.Effect<ClassifierVerdict | undefined> => {
  const judging = classifier.judge(invocation.subject, policy)
  return tool.name === "Bash" || invocation.subject._tag !== "Shell"
    ? judging
    : Effect.mapEager(judging, (judged) => judged?.verdict === "allow" ? undefined : judged)
}

/** Starts a classifier in the call's scope, which is where it ends at the latest. */
const start = (
  judge: Effect.Effect<ClassifierVerdict | undefined>
): Effect.Effect<Judging, never, Scope.Scope> =>
  // What is known at once takes no fiber.
  Exit.isExit(judge) && Exit.isSuccess(judge) ?
    Effect.succeed({ pending: judge, drop: Effect.void }) :
    Effect.map(Effect.forkScoped(judge), (judging) => ({
      // INVARIANT: a classifier that failed in a way nobody foresaw has no opinion.
      pending: Effect.map(Fiber.await(judging), (exit) => exit._tag === "Success" ? exit.value : undefined),
      // One that is slow to end must not keep the call waiting.
      drop: Effect.sync(() => judging.interruptUnsafe())
    }))
