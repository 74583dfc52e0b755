/**
 * The look ahead of tools that change a file: whether the change could be made,
 * before a person is asked about it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Beforehand, Readiness, ToolContext } from "../domain/Tool.ts"
import type { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath } from "./absolutePath.ts"
import { unseen } from "./requireSeen.ts"

/**
 * What planning a change needs of a call's context.
 *
 * @category models
 * @since 0.1.0
 */
export type Planning = Pick<ToolContext, "mayEdit" | "mayRead" | "seen">

/**
 * Says whether a change could be made, by `plan`, which makes none.
 *
 * **Details**
 *
 * INVARIANT: of a file that may not be read without asking it says only whether
 * this session has read it, never what is there. `changes` says that a file which
 * is new to the session can't be meant.
 *
 * @category validation
 * @since 0.1.0
 */
export const changeable = Effect.fnUntraced(function*(
  { changes, shown }: { readonly shown: string; readonly changes: boolean },
  { call, mayRead, seen }: Beforehand,
  plan: (path: string, context: Planning) => Effect.Effect<unknown, ToolFailed, Scope.Scope>
): Effect.fn.Return<Readiness, never, PathResolver> {
  const { home, resolve } = yield* PathResolver
  const path = absolutePath(shown, { cwd: call.cwd, home })
  if (yield* mayRead(path)) {
    const planned = Effect.scoped(plan(path, { seen, mayRead, mayEdit: mayRead }))
    return yield* Effect.match(planned, { onSuccess: () => ready, onFailure: refused })
  }
  if (!changes) return ready
  const { real, written } = yield* resolve(path)
  const states = yield* Effect.forEach([written, ...real], seen)
  return states.some((state) => state !== undefined) ? ready : refused(unseen(shown))
})

const ready: Readiness = { _tag: "Valid" }

const refused = ({ reason }: ToolFailed): Readiness => ({ _tag: "Refused", message: reason, code: 6 })
