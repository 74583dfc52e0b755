/**
 * Managed settings as they were fetched.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { View } from "./watch.ts"

/**
 * What there is of settings that a server keeps: the same object as long as they
 * are the same. `note` says that it is not the server's newest word.
 *
 * @category models
 * @since 0.1.0
 */
export interface ManagedCopy {
  readonly view: View<string>
  readonly note: string | undefined
}

/**
 * Gives the settings that an address holds. `refreshMinutes` says how long a copy
 * is used without a question.
 *
 * @category models
 * @since 0.1.0
 */
export type FetchManaged = (address: string, refreshMinutes?: number) => Effect.Effect<ManagedCopy>
