/**
 * What an error keeps of the call that it ends.
 *
 * @since 0.1.0
 */
import type { AskedCall } from "../domain/Call.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Note } from "../domain/Note.ts"
import type { CallState } from "../errors/CallState.ts"

/**
 * Returns the call so far, without what only the running pipeline can hold.
 *
 * @category getters
 * @since 0.1.0
 */
export const soFar = (
  call: AskedCall & {
    readonly notes?: ReadonlyArray<Note>
    readonly tool?: { readonly name: string }
    readonly decision?: Decision
  }
): CallState => ({
  use: call.use,
  context: call.context,
  notes: call.notes ?? [],
  ...(call.tool === undefined ? {} : { tool: call.tool.name }),
  ...(call.decision === undefined ? {} : { decision: call.decision })
})
