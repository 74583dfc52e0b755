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
import type { InputRefused } from "../errors/ValidateError.ts"
import { decide } from "../permission/decide.ts"
import { denialKey } from "../permission/denialKey.ts"
import type { Evidence } from "../permission/Evidence.ts"
import { fileGuard } from "../permission/fileGuard.ts"
import type { Approver } from "../services/Approver.ts"
import { CallEvents } from "../services/CallEvents.ts"
import type { Classifier } from "../services/Classifier.ts"
import { DenialTracker } from "../services/DenialTracker.ts"
import { HookRunner } from "../services/HookRunner.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { RuleSources } from "../services/RuleSources.ts"
import type { SessionStore } from "../services/SessionStore.ts"
import { askPerson } from "./askPerson.ts"
import { gatherEvidence } from "./gatherEvidence.ts"
import { hookCall } from "./hookCall.ts"
import { precondition } from "./precondition.ts"
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
 * Lets a call through, or says why not. What can't succeed as things stand fails
 * before anybody is asked about it.
 *
 * @category stages
 * @since 0.1.0
 */
export const permission = (
  call: ScreenedCall,
  services: Context.Context<Needs>
): Effect.Effect<PermittedCall, InputRefused | PermissionError, Needs> =>
  Effect.flatMapEager(
    policyFor(call, services),
    (policy) =>
      Effect.flatMapEager(gatherEvidence(call, policy, services), (evidence) => {
        const decided = { decision: traced(decide(evidence), call.hook.runs), evidence }
        const told = Context.get(services, CallEvents)({
          _tag: "Decided",
          id: call.use.id,
          decision: decided.decision
        })
        return Effect.flatMapEager(
          Effect.flatMapEager(told, () => answered(call, decided)),
          (verdict) => concluded(call, decided, verdict, services)
        )
      })
  )

type Needs = Approver | Classifier | DenialTracker | HookRunner | PathResolver | RuleSources | SessionStore

const policyFor = (call: ScreenedCall, services: Context.Context<RuleSources>): Effect.Effect<Policy> =>
  call.policy === undefined ? Context.get(services, RuleSources).policy(call.context) : Effect.succeed(call.policy)

const answered = (call: ScreenedCall, { decision, evidence }: Decided): Effect.Effect<Verdict, InputRefused, Needs> =>
  decision.verdict === "ask" ?
    Effect.andThen(precondition(call, evidence), askPerson(call, decision, evidence)) :
    Effect.succeed({
      verdict: decision.verdict,
      by: decision.by,
      reason: ownReason(decision),
      notes: []
    })

/** What somebody answered meanwhile to another call may have decided this one anew. */
const concluded = (
  call: ScreenedCall,
  first: Decided,
  asked: Verdict,
  services: Context.Context<Needs>
): Effect.Effect<PermittedCall, PermissionDenied> => {
  const { decision, evidence } = asked.again ?? first
  const runs = asked.runs === undefined ? call.hook.runs : [...call.hook.runs, ...asked.runs]
  const standing: Decided = { decision: traced(decision, runs), evidence }
  const recorded = Effect.flatMapEager(
    call.drop ?? Effect.void,
    () => record(call, standing.decision, asked, evidence, services)
  )
  return Effect.flatMapEager(
    recorded,
    (verdict) => (verdict.verdict === "allow" ? letThrough : refuse)(call, first, standing, verdict, services)
  )
}

type Conclude<A, E> = (
  call: ScreenedCall,
  first: Decided,
  standing: Decided,
  verdict: Verdict,
  services: Context.Context<DenialTracker | HookRunner | PathResolver>
) => Effect.Effect<A, E>

const letThrough: Conclude<PermittedCall, never> = (call, first, { decision, evidence }, verdict, services) => {
  const counted = Context.get(services, DenialTracker).permitted(call.context, denialKey(first.evidence))
  return Effect.mapEager(counted, () => {
    const resolver = Context.get(services, PathResolver)
    let allows: ReturnType<typeof fileGuard> | undefined
    return permitted({
      ...call,
      notes: verdict.notes.length === 0 ? call.notes : [...call.notes, ...verdict.notes],
      decision,
      policy: evidence.policy,
      guard: (access, path) =>
        Effect.map(resolver.resolve(path), (resolved) => (allows ??= fileGuard(evidence))(access, resolved))
    })
  })
}

const refuse: Conclude<never, PermissionDenied> = Effect.fnUntraced(
  function*(call, { evidence }, { decision }, verdict, services) {
    const guidance = yield* Context.get(services, DenialTracker).denied(call.context, denialKey(evidence))
    yield* Context.get(services, HookRunner).permissionDenied(hookCall(call, evidence.policy), decision.why)
    const endsTurn = call.hook.endsTurn ?? verdict.endsTurn
    return yield* new PermissionDenied({
      call: soFar({ ...call, notes: [...call.notes, ...verdict.notes], decision }),
      by: verdict.by,
      detail: verdict.detail ?? decision.why,
      ...(endsTurn === undefined ? {} : { endsTurn }),
      ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
      ...(guidance === undefined ? {} : { guidance })
    })
  }
)

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
 * were asked in a person's place, and `endsTurn` why one of them ends the turn.
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
  readonly endsTurn?: string
}

const traced = (decision: Decision, hooks: ReadonlyArray<HookRun>): Decision =>
  hooks.length === 0 ? decision : { ...decision, hooks }

/** Hooks and tools give reasons that are meant for the model; rules have none. */
const ownReason = ({ by, why }: Decision): string | undefined => by === "hook" || by === "tool" ? why : undefined

// INVARIANT: the brand is put on here and nowhere else; it exists in the types alone.
const permitted = (call: Omit<PermittedCall, typeof Permitted>): PermittedCall => call as PermittedCall
