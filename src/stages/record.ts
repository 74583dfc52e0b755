/**
 * Writes down what came of a decision: for the audit log, and in numbers.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { ScreenedCall } from "../domain/Call.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Evidence } from "../permission/Evidence.ts"
import { AuditLog, type Keeper, nobody } from "../services/AuditLog.ts"
import type { Verdict } from "./permission.ts"

/**
 * Records a verdict before anything follows from it, and gives the one that
 * stands. What could not be written down is told to the person who runs the call;
 * where settings require an audit log, it does not run.
 *
 * @category stages
 * @since 0.1.0
 */
export const record = (
  call: ScreenedCall,
  decision: Decision,
  verdict: Verdict,
  evidence: Evidence,
  services: Context.Context<never>
): Effect.Effect<Verdict> => {
  const audit = Context.get(services, AuditLog)
  // Most calls are kept by nobody: nothing is made for them.
  const written = audit === nobody && evidence.policy.audit === undefined
    ? Effect.succeed(verdict)
    : audited(audit, call, decision, verdict, evidence)
  return Effect.mapEager(written, (stands) => {
    const { by, verdict } = stands
    call.watch?.decided({ tool: call.tool.name, decided: decision.verdict, verdict, by })
    return stands
  })
}

const audited = Effect.fnUntraced(function*(
  audit: Keeper,
  call: ScreenedCall,
  decision: Decision,
  said: Verdict,
  { mode, policy }: Evidence
): Effect.fn.Return<Verdict> {
  const { by, detail, verdict } = said
  const span = yield* Effect.serviceOption(Tracer.ParentSpan)
  const { cwd, session, user } = call.context
  const kept = yield* Effect.result(audit.record({
    version: 1,
    time: DateTime.formatIso(yield* DateTime.now),
    session,
    id: call.use.id,
    ...(call.parent === undefined ? {} : { parent: call.parent }),
    tool: call.tool.name,
    cwd,
    mode,
    ...(user === undefined ? {} : { user }),
    verdict,
    by,
    why: detail ?? (by === "person" && verdict === "allow" ? "a person allowed it" : decision.why),
    input: call.invocation.input,
    decision,
    ...(span._tag === "Some" ? { traceId: span.value.traceId } : {})
  }, policy.audit))
  if (kept._tag === "Success") return said
  const { message } = kept.failure
  const told: Verdict = { ...said, notes: [...said.notes, { audience: "person", text: message }] }
  if (verdict === "deny" || policy.audit?.required !== true) return told
  return { ...told, verdict: "deny", by: "audit", reason: undefined, detail: `${message}, and settings require it` }
})
