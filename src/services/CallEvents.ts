/**
 * Where a call tells what happens to it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallEvent } from "../domain/CallEvent.ts"

/**
 * Takes an event; waits while whoever watches is behind.
 *
 * @category models
 * @since 0.1.0
 */
export type Publish = (event: CallEvent) => Effect.Effect<void>

/**
 * The watcher of a call that nobody watches.
 *
 * @category constants
 * @since 0.1.0
 */
export const unwatched: Publish = () => Effect.void

/**
 * Reference to whoever watches a call. Nobody does unless told to.
 *
 * @category services
 * @since 0.1.0
 */
export const CallEvents = Context.Reference<Publish>("toolgate/services/CallEvents", { defaultValue: () => unwatched })

/**
 * Reference to whether the watcher wants to hear of progress: what nobody wants
 * is not even made.
 *
 * @category services
 * @since 0.1.0
 */
export const HearsProgress = Context.Reference<boolean>("toolgate/services/CallEvents/HearsProgress", {
  defaultValue: () => true
})
