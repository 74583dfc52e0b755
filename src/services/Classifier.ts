/**
 * Service boundary for classifiers: the static half says whether a command only
 * reads, the other judges a call by the user's own descriptions.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ClassifierVerdict } from "../domain/ClassifierVerdict.ts"
import type { Policy } from "../domain/Policy.ts"
import type { ReadOnly } from "../domain/ReadOnly.ts"
import type { SimpleCommand } from "../domain/ShellCommand.ts"
import type { Subject } from "../domain/Subject.ts"

/**
 * Service that classifies what a call would do.
 *
 * @category services
 * @since 0.1.0
 */
export class Classifier extends Context.Service<Classifier, {
  /** Whether a command only reads: immediate, and the same for the same command. */
  readonly readOnly: (command: SimpleCommand) => ReadOnly
  /**
   * What the descriptions of the policy say of a call, or undefined for no
   * opinion: not sure, no descriptions, no answer. May take long.
   */
  readonly judge: (
    subject: Subject,
    policy: Policy
  ) => Effect.Effect<ClassifierVerdict | undefined>
}>()("toolgate/services/Classifier") {}
