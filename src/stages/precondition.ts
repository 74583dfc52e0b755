/**
 * The look ahead of the permission stage: whether a call could do its work at
 * all, before a person is asked about it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ScreenedCall } from "../domain/Call.ts"
import { silent } from "../domain/Hook.ts"
import { InputRefused } from "../errors/ValidateError.ts"
import type { Evidence } from "../permission/Evidence.ts"
import { fileGuard } from "../permission/fileGuard.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { SessionStore } from "../services/SessionStore.ts"
import { soFar } from "./soFar.ts"

/**
 * Fails with what the tool says when it can do nothing as things stand.
 *
 * **Details**
 *
 * Rules have had their say by then, so that what is denied is denied and nothing
 * is told of it. The tool may look at what could be read without asking; when rules
 * may be hidden, at nothing.
 *
 * @category stages
 * @since 0.1.0
 */
export const precondition = (
  call: ScreenedCall,
  evidence: Evidence
): Effect.Effect<void, InputRefused, PathResolver | SessionStore> => {
  const { precondition } = call.invocation
  if (precondition === undefined) return Effect.void
  return Effect.contextWith((services: Context.Context<PathResolver | SessionStore>) => {
    const store = Context.get(services, SessionStore)
    const resolver = Context.get(services, PathResolver)
    // Nothing counts as permitted yet: neither by this call nor by a hook.
    const opens = fileGuard({ ...evidence, hook: silent, effective: { ...evidence.effective, demands: [] } })
    const readable = evidence.policy.unreadable.length === 0
    const ready = precondition({
      call: call.context,
      seen: (path) => Effect.orElseSucceed(store.seen(call.context.session, path), () => undefined),
      mayRead: (path) =>
        readable ? Effect.map(resolver.resolve(path), (resolved) => opens("read", resolved)) : Effect.succeed(false)
    })
    return Effect.flatMap(ready, (readiness) =>
      readiness._tag === "Valid"
        ? Effect.void
        : Effect.fail(new InputRefused({ call: soFar(call), reason: readiness.message, code: readiness.code })))
  })
}
