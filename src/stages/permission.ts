/**
 * Stage 4: decides whether a call may run, and asks a person where it has to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ScreenedCall } from "../domain/Call.ts"
import type { Decider, Decision } from "../domain/Decision.ts"
import type { Note } from "../domain/Note.ts"
import { PermissionDenied, type PermissionError } from "../errors/PermissionError.ts"
import { decide } from "../permission/decide.ts"
import { denialKey } from "../permission/denialKey.ts"
import { fileGuard } from "../permission/fileGuard.ts"
import type { Approver } from "../services/Approver.ts"
import { CallEvents } from "../services/CallEvents.ts"
import type { Classifier } from "../services/Classifier.ts"
import { DenialTracker } from "../services/DenialTracker.ts"
import { type HookCall, HookRunner } from "../services/HookRunner.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { askPerson } from "./askPerson.ts"
import { gatherEvidence } from "./gatherEvidence.ts"
import { soFar } from "./soFar.ts"

declare const Permitted: unique symbol

/**
 * A call that may run. Only the permission stage can make one.
 *
 * **Details**
 *
 * `guard` says whether this call may open an absolute path that it found when
 * it ran: one that the decision has seen, or one that would be permitted alike.
 *
 * @category models
 * @since 0.1.0
 */
export interface PermittedCall extends ScreenedCall {
  readonly [Permitted]: true
  readonly decision: Decision
  readonly guard: (access: "read" | "edit", path: string) => Effect.Effect<boolean>
}

/**
 * Lets a call through, or says why not.
 *
 * @category stages
 * @since 0.1.0
 */
export const permission = Effect.fnUntraced(function*(
  call: ScreenedCall
): Effect.fn.Return<
  PermittedCall,
  PermissionError,
  Approver | Classifier | DenialTracker | HookRunner | PathResolver | RuleSources
> {
  const policy = yield* (yield* RuleSources).policy(call.context)
  const evidence = yield* gatherEvidence(call, policy)
  const decision = decide(evidence)
  const publish = yield* CallEvents
  yield* publish({ _tag: "Decided", id: call.use.id, decision })

  const key = denialKey(evidence)
  const verdict: Verdict = decision.verdict === "ask"
    ? yield* askPerson(call, decision, evidence)
    : { verdict: decision.verdict, by: decision.by, reason: ownReason(decision), notes: [] }
  const notes = [...call.notes, ...verdict.notes]

  const tracker = yield* DenialTracker
  if (verdict.verdict === "permit") {
    yield* tracker.permitted(call.context, key)
    const resolver = yield* PathResolver
    const allows = fileGuard(evidence)
    return permitted({
      ...call,
      notes,
      decision,
      guard: (access, path) => Effect.map(resolver.resolve(path), (resolved) => allows(access, resolved))
    })
  }

  const guidance = yield* tracker.denied(call.context, key)
  const hooks = yield* HookRunner
  const told: HookCall = {
    id: call.use.id,
    tool: call.tool.name,
    input: call.invocation.input,
    context: call.context,
    mode: evidence.mode,
    policy
  }
  yield* hooks.permissionDenied(told, decision.why)
  return yield* new PermissionDenied({
    call: soFar({ ...call, notes, decision }),
    by: verdict.by,
    detail: verdict.detail ?? decision.why,
    endsTurn: call.hook.endsTurn,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(guidance === undefined ? {} : { guidance })
  })
})

/**
 * What came of asking, or of deciding alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Verdict {
  readonly verdict: "permit" | "deny"
  readonly by: Decider
  readonly reason: string | undefined
  readonly detail?: string
  readonly notes: ReadonlyArray<Note>
}

/** Hooks and tools give reasons that are meant for the model; rules have none. */
const ownReason = ({ by, why }: Decision): string | undefined => by === "hook" || by === "tool" ? why : undefined

// INVARIANT: the brand is put on here and nowhere else; it exists in the types alone.
const permitted = (call: Omit<PermittedCall, typeof Permitted>): PermittedCall => call as PermittedCall
