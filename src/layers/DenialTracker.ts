/**
 * Layer that provides `DenialTracker`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SessionState } from "../domain/SessionState.ts"
import { classify } from "../errors/classify.ts"
import type { StoreFailed } from "../errors/SessionError.ts"
import { DenialTracker } from "../services/DenialTracker.ts"
import { SessionStore } from "../services/SessionStore.ts"

/**
 * After how many denials in a row the model gets guidance.
 *
 * @category options
 * @since 0.1.0
 */
export interface Thresholds {
  /** For one key. 3 when left out. */
  readonly key?: number
  /** For the session as a whole. 10 when left out. */
  readonly session?: number
}

/**
 * Layer that counts in the session's memory, so that separate runs of one
 * session count together.
 *
 * **Details**
 *
 * A count that can't be kept is logged and breaks no call: guidance is help for
 * the model, the denial itself stands without it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSession = (thresholds: Thresholds = {}): Layer.Layer<DenialTracker, never, SessionStore> =>
  Layer.effect(
    DenialTracker,
    Effect.gen(function*() {
      const sessions = yield* SessionStore
      const limits = { key: thresholds.key ?? 3, session: thresholds.session ?? 10 }
      return DenialTracker.of({
        denied: (context, key) =>
          sessions.update(context.session, count(key)).pipe(
            Effect.map((state) => guidance(key, streakOf(state, key), state.streak, limits)),
            Effect.catchTag("StoreFailed", (error) => Effect.andThen(complain(error), Effect.undefined))
          ),
        permitted: (context, key) =>
          Effect.matchEffect(sessions.get(context.session), {
            onFailure: complain,
            // Most calls are permitted with nothing to reset: they cost no write.
            onSuccess: (state) =>
              isClear(state, key)
                ? Effect.void
                : Effect.catchTag(Effect.asVoid(sessions.update(context.session, reset(key))), "StoreFailed", complain)
          })
      })
    })
  )

const complain = (error: StoreFailed): Effect.Effect<void> =>
  Effect.logWarning("denials could not be counted", classify(error))

// The oldest keys are forgotten: a session of many weeks should not grow for ever.
const remembered = 500

const streakOf = (state: SessionState, key: string): number =>
  Object.hasOwn(state.streaks, key) ? state.streaks[key] ?? 0 : 0

const count = (key: string) => (state: SessionState): SessionState => {
  const others = Object.entries(state.streaks).filter(([other]) => other !== key).slice(1 - remembered)
  return {
    ...state,
    streaks: Object.fromEntries([...others, [key, streakOf(state, key) + 1]]),
    streak: state.streak + 1
  }
}

const isClear = (state: SessionState, key: string): boolean => state.streak === 0 && !Object.hasOwn(state.streaks, key)

const reset = (key: string) => (state: SessionState): SessionState => ({
  ...state,
  streaks: Object.fromEntries(Object.entries(state.streaks).filter(([other]) => other !== key)),
  streak: 0
})

const guidance = (
  key: string,
  ofKey: number,
  ofSession: number,
  limits: { readonly key: number; readonly session: number }
): string | undefined => {
  if (ofKey >= limits.key) {
    return `\`${key}\` has been refused ${ofKey} times in a row: stop asking for it, in this form or another. ` +
      "Reach the goal by a way that does not need it, or leave that part out, do what is permitted, and tell the " +
      "user what was refused and what you would need it for."
  }
  if (ofSession >= limits.session) {
    return `${ofSession} calls in a row have been refused, the last for \`${key}\`: stop trying variations. ` +
      "Tell the user what you are trying to do and which permission it takes, and wait for their answer."
  }
  return undefined
}
