/**
 * What a call that is stopped leaves behind: its tool writes it down, and the
 * result of the stopped call shows it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type { Shown } from "../domain/Tool.ts"

/**
 * Reference to the place where the tool of a call puts what it had to show.
 * There is none where nobody is answered.
 *
 * @category services
 * @since 0.1.0
 */
export const Leftover = Context.Reference<{ shown?: Shown } | undefined>("toolgate/services/Leftover", {
  defaultValue: () => undefined
})
