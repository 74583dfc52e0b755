/**
 * Where the shell of a session stands, as its last command left it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"
import { SessionStore } from "../services/SessionStore.ts"

/**
 * Adds to a context where the shell stands, if it went anywhere. A context that
 * says so itself stays as it is.
 *
 * @category stages
 * @since 0.1.0
 */
export const standing = (
  context: CallContext,
  services: Context.Context<SessionStore>
): Effect.Effect<CallContext> =>
  context.standing !== undefined ?
    Effect.succeed(context) :
    Effect.matchEager(Context.get(services, SessionStore).get(context.session), {
      // A session that can't be read is for the stages to tell.
      onFailure: () => context,
      onSuccess: ({ standing = {} }) => {
        const folder = Object.hasOwn(standing, context.cwd) ? standing[context.cwd] : undefined
        return folder === undefined ? context : { ...context, standing: folder }
      }
    })
