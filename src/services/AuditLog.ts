/**
 * Where decisions are written down for later.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AuditEntry, AuditSettings } from "../domain/AuditEntry.ts"
import { AuditFailed } from "../errors/AuditError.ts"

/**
 * What keeps decisions.
 *
 * **Details**
 *
 * Every decision is offered, before the tool runs; `settings` is undefined where
 * no settings in force switch an audit log on.
 *
 * @category models
 * @since 0.1.0
 */
export interface Keeper {
  readonly record: (entry: AuditEntry, settings: AuditSettings | undefined) => Effect.Effect<void, AuditFailed>
}

/**
 * The keeper of a program that keeps no log: where settings want one, it says so.
 *
 * @category constants
 * @since 0.1.0
 */
export const nobody: Keeper = {
  record: (_, settings) =>
    settings === undefined
      ? Effect.void
      : Effect.fail(new AuditFailed({ reason: "this program keeps no audit log" }))
}

/**
 * Reference to what keeps decisions. Unless told otherwise nothing does, and says
 * so where settings want an audit log.
 *
 * @category services
 * @since 0.1.0
 */
export const AuditLog = Context.Reference<Keeper>("toolgate/services/AuditLog", { defaultValue: () => nobody })
