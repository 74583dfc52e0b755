/**
 * The last row of the decision: hooks may answer for a person, then the person
 * and a classifier that is still at it race.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { ScreenedCall } from "../domain/Call.ts"
import type { ClassifierVerdict } from "../domain/ClassifierVerdict.ts"
import type { Decider, Decision } from "../domain/Decision.ts"
import type { HookRun, PermissionRequestOutcome } from "../domain/Hook.ts"
import type { Note } from "../domain/Note.ts"
import type { Answer, Question } from "../domain/Question.ts"
import { decide } from "../permission/decide.ts"
import type { Evidence } from "../permission/Evidence.ts"
import { Approver } from "../services/Approver.ts"
import { CallEvents } from "../services/CallEvents.ts"
import type { Classifier } from "../services/Classifier.ts"
import { HookRunner } from "../services/HookRunner.ts"
import type { PathResolver } from "../services/PathResolver.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { type Declined, Turns } from "../services/Turns.ts"
import { gatherEvidence } from "./gatherEvidence.ts"
import { hookCall } from "./hookCall.ts"
import type { Decided, Verdict } from "./permission.ts"

/**
 * Gets an answer for a call that could not be decided.
 *
 * **Details**
 *
 * No classifier answers what must be asked of a person. A classifier without an
 * opinion never ends the race, and from the person's first key on it can no
 * longer permit. A call that waited for its turn is not asked about when the answer
 * to another one made a rule for both, or declined the very same call.
 *
 * @category stages
 * @since 0.1.0
 */
export const askPerson = Effect.fnUntraced(function*(
  call: ScreenedCall,
  decision: Decision,
  evidence: Evidence
): Effect.fn.Return<Verdict, never, Approver | Classifier | HookRunner | PathResolver | RuleSources> {
  const question: Question = {
    id: call.use.id,
    tool: call.tool.name,
    input: call.invocation.input,
    decision,
    context: call.context
  }
  if (decision.mustAsk && call.drop !== undefined) yield* call.drop
  const pending: Pending = decision.mustAsk ? Effect.undefined : call.pending
  const early = decision.mustAsk ? undefined : yield* withinGrace(pending, evidence)
  if (early !== undefined) return byClassifier(early)

  const { notes, runs, verdict: byHook } = yield* hookAnswer(call, question, evidence)
  const withHooks = (verdict: Verdict): Verdict =>
    runs.length === 0 ? verdict : { ...verdict, notes: [...notes, ...verdict.notes], runs }
  if (byHook !== undefined) return withHooks(byHook)

  const settled = yield* race(call, question, evidence, pending)
  // What follows from an answer may take a moment, and no classifier is asked any more.
  if (call.drop !== undefined) yield* call.drop
  switch (settled._tag) {
    case "Classified":
      return withHooks(byClassifier(settled.verdict))
    case "Decided":
      return withHooks(byAnotherAnswer(settled.again))
    case "Answered": {
      const publish = yield* CallEvents
      yield* publish({ _tag: "Answered", id: question.id, answer: settled.answer })
      const verdict = withHooks(yield* byAnswer(settled.answer, settled.question))
      return settled.again === undefined ? verdict : { ...verdict, again: settled.again }
    }
  }
})

type Pending = Effect.Effect<ClassifierVerdict | undefined>

const withinGrace = (pending: Pending, { mode, policy }: Evidence): Pending => {
  if (mode === "auto") return pending
  return policy.graceMillis <= 0
    ? Effect.undefined
    : Effect.map(
      Effect.timeoutOption(pending, policy.graceMillis),
      (found) => found._tag === "Some" ? found.value : undefined
    )
}

/** Hooks may answer an ask, but neither for safety, nor for hidden rules, nor for a tool that needs a person. */
const hookAnswer = Effect.fnUntraced(function*(
  call: ScreenedCall,
  question: Question,
  evidence: Evidence
): Effect.fn.Return<HookAnswer, never, HookRunner> {
  const { by, judged } = question.decision
  const forPersons = evidence.needsPerson ||
    judged.some((one) => one.verdict === "ask" && (one.by === "safety" || one.by === "settings"))
  const hooks = yield* HookRunner
  const outcome = yield* hooks.permissionRequest(hookCall(call, evidence.policy), question.decision.suggestions)
  return {
    verdict: verdictOf(outcome, forPersons, by),
    runs: outcome.runs ?? [],
    notes: (outcome.messages ?? []).map((text): Note => ({ audience: "person", text }))
  }
})

interface HookAnswer {
  readonly verdict: Verdict | undefined
  readonly runs: ReadonlyArray<HookRun>
  readonly notes: ReadonlyArray<Note>
}

const verdictOf = (outcome: PermissionRequestOutcome, forPersons: boolean, by: Decider): Verdict | undefined => {
  switch (outcome._tag) {
    case "Denied":
      return {
        verdict: "deny",
        by: "hook",
        reason: outcome.message,
        detail: `the hook \`${outcome.name}\` denied it`,
        notes: [{ audience: "person", text: denialText(outcome) }],
        ...(outcome.endsTurn === undefined ? {} : { endsTurn: outcome.endsTurn })
      }
    case "Allowed":
      return forPersons
        ? undefined
        : {
          verdict: "allow",
          by: "hook",
          reason: undefined,
          detail: `the hook \`${outcome.name}\` allowed what ${by} asked about`,
          notes: []
        }
    case "NoAnswer":
      return undefined
  }
}

/** The model hears why; without this a person would not. */
const denialText = ({ message, name }: PermissionRequestOutcome & { readonly _tag: "Denied" }): string =>
  `the hook \`${name}\` denied it${message === undefined ? "" : `: ${message}`}`

type Settled =
  | {
    readonly _tag: "Answered"
    readonly answer: Answer
    readonly question: Question
    readonly again: Decided | undefined
  }
  | { readonly _tag: "Decided"; readonly again: Decided }
  | { readonly _tag: "Classified"; readonly verdict: ClassifierVerdict }

const race = (
  call: ScreenedCall,
  question: Question,
  evidence: Evidence,
  pending: Pending
): Effect.Effect<Settled, never, Approver | Classifier | PathResolver | RuleSources> =>
  Effect.flatMap(Turns, (inTurn) => {
    const asked = (touched: Effect.Effect<void>) =>
      inTurn(call.context.session, (declined) => asking(call, question, evidence, touched, declined))
    // Most calls are judged by nobody: many of them may wait, and hold nothing for a race.
    const alone = Exit.isExit(pending) && Exit.isSuccess(pending) && pending.value === undefined
    return alone ? asked(Effect.void) : Effect.flatMap(Deferred.make<void>(), (touched) =>
      Effect.raceFirst(
        asked(Effect.asVoid(Deferred.succeed(touched, undefined))),
        classified(pending, Deferred.isDone(touched))
      ))
  })

const classified = (pending: Pending, touched: Effect.Effect<boolean>): Effect.Effect<Settled> =>
  Effect.flatMap(pending, (verdict): Effect.Effect<Settled> => {
    if (verdict === undefined) return Effect.never
    return Effect.flatMap(
      touched,
      (late) => late && verdict.verdict === "allow" ? Effect.never : Effect.succeed({ _tag: "Classified", verdict })
    )
  })

const asking = Effect.fnUntraced(function*(
  call: ScreenedCall,
  before: Question,
  evidence: Evidence,
  touched: Effect.Effect<void>,
  declined: Declined
): Effect.fn.Return<Settled, never, Approver | Classifier | PathResolver | RuleSources> {
  const again = yield* decideAgain(call, evidence)
  if (again !== undefined && again.decision.verdict !== "ask") return { _tag: "Decided", again }
  const question = again === undefined ? before : { ...before, decision: again.decision }
  const same = declined.size === 0 ? undefined : sameCall(question)
  const told = same === undefined ? undefined : declined.get(same)
  if (told !== undefined) return { _tag: "Answered", answer: told, question, again }
  const publish = yield* CallEvents
  yield* publish({ _tag: "Asked", id: question.id, question })
  const answer = yield* (yield* Approver).ask(question, touched)
  if (answer._tag === "Denied") {
    const denied = sameCall(question)
    if (denied !== undefined) declined.set(denied, answer)
  }
  return { _tag: "Answered", answer, question, again }
})

/** Calls that say the same have the same text. An input that JSON can't say is like no other. */
const sameCall = ({ context, input, tool }: Question): string | undefined =>
  Result.getOrUndefined(Result.try(() => JSON.stringify([tool, context, input])))

/** While a call waited for its turn, an answer to another one may have made a rule for both. */
const decideAgain = Effect.fnUntraced(function*(
  call: ScreenedCall,
  before: Evidence
): Effect.fn.Return<Decided | undefined, never, Classifier | PathResolver | RuleSources> {
  const policy = yield* (yield* RuleSources).policy(call.context)
  if (policy === before.policy) return undefined
  const evidence = yield* gatherEvidence(call, policy, yield* Effect.context<Classifier | PathResolver>())
  return { decision: decide(evidence), evidence }
})

const byAnotherAnswer = (again: Decided): Verdict => ({
  verdict: again.decision.verdict === "allow" ? "allow" : "deny",
  by: again.decision.by,
  reason: undefined,
  notes: [],
  again
})

const byClassifier = ({ description, verdict }: ClassifierVerdict): Verdict => ({
  verdict,
  by: "classifier",
  reason: undefined,
  detail: `it matches the description \`${description}\``,
  notes: []
})

const byAnswer = Effect.fnUntraced(function*(
  answer: Answer,
  question: Question
): Effect.fn.Return<Verdict, never, RuleSources> {
  switch (answer._tag) {
    case "Once":
      return { verdict: "allow", by: "person", reason: undefined, notes: [] }
    case "Denied":
      return { verdict: "deny", by: "person", reason: answer.reason, detail: "a person declined", notes: [] }
    case "Nobody":
      return {
        verdict: "deny",
        by: "nobody",
        reason: undefined,
        detail: `${question.decision.why}, and ${answer.why}`,
        notes: []
      }
    case "Always": {
      const sources = yield* RuleSources
      const saved = yield* Effect.result(
        sources.grant(question.context, answer.destination, question.decision.suggestions)
      )
      const notes: ReadonlyArray<Note> = saved._tag === "Success" ? [] : [{
        audience: "person",
        text: `the rule could not be saved, so this call alone is allowed: ${saved.failure.message}`
      }]
      return { verdict: "allow", by: "person", reason: undefined, notes }
    }
  }
})
