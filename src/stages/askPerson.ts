/**
 * The last row of the decision: hooks may answer for a person, then the person
 * and a classifier that is still at it race.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ScreenedCall } from "../domain/Call.ts"
import type { ClassifierVerdict } from "../domain/ClassifierVerdict.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Note } from "../domain/Note.ts"
import type { Answer, Question } from "../domain/Question.ts"
import type { Evidence } from "../permission/Evidence.ts"
import { Approver } from "../services/Approver.ts"
import { CallEvents } from "../services/CallEvents.ts"
import { HookRunner } from "../services/HookRunner.ts"
import { RuleSources } from "../services/RuleSources.ts"
import type { Verdict } from "./permission.ts"

/**
 * Gets an answer for a call that could not be decided.
 *
 * **Details**
 *
 * No classifier answers what must be asked of a person. A classifier without an
 * opinion never ends the race, and from the person's first key on it can no
 * longer permit.
 *
 * @category stages
 * @since 0.1.0
 */
export const askPerson = Effect.fnUntraced(function*(
  call: ScreenedCall,
  decision: Decision,
  evidence: Evidence
): Effect.fn.Return<Verdict, never, Approver | HookRunner | RuleSources> {
  const question: Question = {
    id: call.use.id,
    tool: call.tool.name,
    input: call.invocation.input,
    decision,
    context: call.context
  }
  const pending: Pending = decision.mustAsk ? Effect.undefined : call.pending
  const early = decision.mustAsk ? undefined : yield* withinGrace(pending, evidence)
  if (early !== undefined) return byClassifier(early)

  const byHook = yield* hookAnswer(call, question, evidence)
  if (byHook !== undefined) return byHook

  const publish = yield* CallEvents
  yield* publish({ _tag: "Asked", id: question.id, question })
  const settled = yield* race(question, pending)
  if (settled._tag === "Classified") return byClassifier(settled.verdict)
  yield* publish({ _tag: "Answered", id: question.id, answer: settled.answer })
  return yield* byAnswer(settled.answer, question)
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
): Effect.fn.Return<Verdict | undefined, never, HookRunner> {
  const { by, judged } = question.decision
  const forPersons = evidence.needsPerson ||
    judged.some((one) => one.verdict === "ask" && (one.by === "safety" || one.by === "settings"))
  const hooks = yield* HookRunner
  const outcome = yield* hooks.permissionRequest(
    {
      id: question.id,
      tool: question.tool,
      input: call.invocation.input,
      context: call.context,
      mode: evidence.mode,
      policy: evidence.policy
    },
    question.decision.suggestions
  )
  switch (outcome._tag) {
    case "Denied":
      return {
        verdict: "deny",
        by: "hook",
        reason: outcome.message,
        detail: `the hook \`${outcome.name}\` denied it`,
        notes: []
      }
    case "Allowed":
      return forPersons
        ? undefined
        : {
          verdict: "permit",
          by: "hook",
          reason: undefined,
          detail: `the hook \`${outcome.name}\` allowed what ${by} asked about`,
          notes: []
        }
    case "NoAnswer":
      return undefined
  }
})

type Settled =
  | { readonly _tag: "Answered"; readonly answer: Answer }
  | { readonly _tag: "Classified"; readonly verdict: ClassifierVerdict }

const race = Effect.fnUntraced(function*(
  question: Question,
  pending: Pending
): Effect.fn.Return<Settled, never, Approver> {
  const approver = yield* Approver
  const touched = yield* Deferred.make<void>()
  const answered = Effect.map(
    approver.ask(question, Effect.asVoid(Deferred.succeed(touched, undefined))),
    (answer): Settled => ({ _tag: "Answered", answer })
  )
  const classified = Effect.flatMap(pending, (verdict): Effect.Effect<Settled> => {
    if (verdict === undefined) return Effect.never
    return Effect.flatMap(
      Deferred.isDone(touched),
      (late) => late && verdict.verdict === "permit" ? Effect.never : Effect.succeed({ _tag: "Classified", verdict })
    )
  })
  return yield* Effect.raceFirst(answered, classified)
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
      return { verdict: "permit", by: "person", reason: undefined, notes: [] }
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
      return { verdict: "permit", by: "person", reason: undefined, notes }
    }
  }
})
