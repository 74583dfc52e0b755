/**
 * Stage 4: decides whether a call may run, and asks a person where it has to.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ScreenedCall } from "../domain/Call.ts"
import type { Decider, Decision } from "../domain/Decision.ts"
import type { HookRun } from "../domain/Hook.ts"
import type { Note } from "../domain/Note.ts"
import type { Policy } from "../domain/Policy.ts"
import { PermissionDenied, type PermissionError } from "../errors/PermissionError.ts"
import { decide } from "../permission/decide.ts"
import { denialKey } from "../permission/denialKey.ts"
import type { Evidence } from "../permission/Evidence.ts"
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
import { record } from "./record.ts"
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
  readonly policy: Policy
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
  const services = yield* Effect.context<DenialTracker | HookRunner | PathResolver | RuleSources>()
  const policy = call.policy ?? (yield* Context.get(services, RuleSources).policy(call.context))
  const evidence = yield* gatherEvidence(call, policy)
  const decision = traced(decide(evidence), call.hook.runs)
  yield* Context.get(services, CallEvents)({ _tag: "Decided", id: call.use.id, decision })

  const key = denialKey(evidence)
  const asked: Verdict = decision.verdict === "ask"
    ? yield* askPerson(call, decision, evidence)
    : { verdict: decision.verdict, by: decision.by, reason: ownReason(decision), notes: [] }
  if (call.drop !== undefined) yield* call.drop
  // What somebody answered meanwhile to another call may have decided this one anew.
  const decided: Decided = asked.again ?? { decision, evidence }
  const runs = asked.runs === undefined ? call.hook.runs : [...call.hook.runs, ...asked.runs]
  const standing: Decided = runs.length === 0 ? decided : { ...decided, decision: { ...decided.decision, hooks: runs } }
  const verdict = yield* record(call, standing.decision, asked, standing.evidence)
  const notes = [...call.notes, ...verdict.notes]

  const tracker = Context.get(services, DenialTracker)
  if (verdict.verdict === "allow") {
    yield* tracker.permitted(call.context, key)
    const resolver = Context.get(services, PathResolver)
    let allows: ReturnType<typeof fileGuard> | undefined
    return permitted({
      ...call,
      notes,
      decision: standing.decision,
      policy: standing.evidence.policy,
      guard: (access, path) =>
        Effect.map(resolver.resolve(path), (resolved) => (allows ??= fileGuard(standing.evidence))(access, resolved))
    })
  }

  const guidance = yield* tracker.denied(call.context, key)
  const told: HookCall = {
    id: call.use.id,
    tool: call.tool.name,
    input: call.invocation.input,
    context: call.context,
    mode: evidence.mode,
    policy
  }
  yield* Context.get(services, HookRunner).permissionDenied(told, standing.decision.why)
  return yield* new PermissionDenied({
    call: soFar({ ...call, notes, decision: standing.decision }),
    by: verdict.by,
    detail: verdict.detail ?? standing.decision.why,
    ...(call.hook.endsTurn === undefined ? {} : { endsTurn: call.hook.endsTurn }),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    ...(guidance === undefined ? {} : { guidance })
  })
})

/**
 * A decision and what it was made from.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decided {
  readonly decision: Decision
  readonly evidence: Evidence
}

/**
 * What came of asking, or of deciding alone. `again` is there when the call was
 * decided anew while it waited for its turn to ask; `runs` are the hooks that
 * were asked in a person's place.
 *
 * @category models
 * @since 0.1.0
 */
export interface Verdict {
  readonly verdict: "allow" | "deny"
  readonly by: Decider
  readonly reason: string | undefined
  readonly detail?: string
  readonly notes: ReadonlyArray<Note>
  readonly again?: Decided
  readonly runs?: ReadonlyArray<HookRun>
}

const traced = (decision: Decision, hooks: ReadonlyArray<HookRun>): Decision =>
  hooks.length === 0 ? decision : { ...decision, hooks }

/** Hooks and tools give reasons that are meant for the model; rules have none. */
const ownReason = ({ by, why }: Decision): string | undefined => by === "hook" || by === "tool" ? why : undefined

// INVARIANT: the brand is put on here and nowhere else; it exists in the types alone.
const permitted = (call: Omit<PermittedCall, typeof Permitted>): PermittedCall => call as PermittedCall
