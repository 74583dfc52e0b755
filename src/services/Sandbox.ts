/**
 * Service boundary for the operating system's sandbox: what a command can do
 * beyond what was judged, it can't do there.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallContext } from "../domain/CallContext.ts"
import type { ToolFailed } from "../errors/ExecuteError.ts"

/**
 * A program and its arguments.
 *
 * @category models
 * @since 0.1.0
 */
export type Program = readonly [file: string, ...args: ReadonlyArray<string>]

/**
 * A program that starts another in the sandbox.
 *
 * **Details**
 *
 * - `contained`: whether the system ends all that is left when the program ends.
 * - `notice`: for the model, where there is no sandbox although there should be.
 * - `refusal`: for the model, where what failed was refused to write by the system.
 * - `release`: to be run when the program has ended, or goes on alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Sandboxed {
  readonly program: Program
  readonly contained: boolean
  readonly notice?: string
  readonly refusal?: string
  readonly release: Effect.Effect<void>
}

/**
 * Reference for the sandbox that commands run in: none, unless a Layer provides
 * one. `own` is a folder that was made for this program, which may write there.
 *
 * @category references
 * @since 0.1.0
 */
export const Sandbox = Context.Reference<{
  readonly wrap: (context: CallContext, program: Program, own?: string) => Effect.Effect<Sandboxed, ToolFailed>
}>("toolgate/services/Sandbox", {
  defaultValue: () => ({ wrap: (_, program) => Effect.succeed({ program, contained: false, release: Effect.void }) })
})
