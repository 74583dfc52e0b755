/**
 * What a session and the thread that it lives in say to each other. Everything
 * is text: nothing of the code's own crosses as an object.
 *
 * @since 0.1.0
 */

/**
 * What the thread is told.
 *
 * **Details**
 *
 * - `Evaluate`: to run code, with the names of the tools there are.
 * - `Settle`: what came of a call, as JSON.
 * - `Abandon`: to forget what is still waiting.
 *
 * @category models
 * @since 0.1.0
 */
export type ToThread =
  | { readonly _tag: "Evaluate"; readonly code: string; readonly tools: ReadonlyArray<string> }
  | { readonly _tag: "Settle"; readonly call: number; readonly failed: boolean; readonly json: string }
  | { readonly _tag: "Abandon" }

/**
 * A piece of what the code wrote to its console.
 *
 * @category models
 * @since 0.1.0
 */
export interface Said {
  readonly channel: "stdout" | "stderr"
  readonly text: string
}

/**
 * How an evaluation ended: with a value, with an error that was thrown, or in a
 * state that can't be gone on from.
 *
 * @category models
 * @since 0.1.0
 */
export type Evaluated =
  | { readonly _tag: "Value"; readonly text: string }
  | { readonly _tag: "Thrown"; readonly text: string }
  | { readonly _tag: "Broken"; readonly reason: string }

/**
 * What the thread tells. `Abandoned` says whether nothing of the code is left
 * that would run on.
 *
 * @category models
 * @since 0.1.0
 */
export type FromThread =
  | { readonly _tag: "Said"; readonly said: ReadonlyArray<Said> }
  | { readonly _tag: "Called"; readonly call: number; readonly tool: string; readonly json: string }
  | { readonly _tag: "Ended"; readonly evaluated: Evaluated }
  | { readonly _tag: "Abandoned"; readonly idle: boolean }
