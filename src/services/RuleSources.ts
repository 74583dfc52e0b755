/**
 * Service boundary for permission rules and the settings around them. A source
 * may be a settings file, a command-line flag, or a grant made a moment ago;
 * callers cannot tell which.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"
import type { Policy } from "../domain/Policy.ts"
import type { RuleSource } from "../domain/Rule.ts"
import type { StoreFailed } from "../errors/SessionError.ts"

/**
 * Service that knows the policy in force.
 *
 * @category services
 * @since 0.1.0
 */
export class RuleSources extends Context.Service<RuleSources, {
  /**
   * The policy in force for a call. Never fails: what can't be read is in the
   * policy, as `unreadable` or as a diagnostic. The same value is given again
   * while nothing changed, so that what is compiled from it can be kept.
   */
  readonly policy: (context: CallContext) => Effect.Effect<Policy>
  /** Saves allow rules to a source, so that the next policy has them. */
  readonly grant: (
    context: CallContext,
    destination: RuleSource,
    rules: ReadonlyArray<string>
  ) => Effect.Effect<void, StoreFailed>
}>()("toolgate/services/RuleSources") {}
