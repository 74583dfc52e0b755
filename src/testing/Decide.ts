/**
 * The functions that laws are about.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Situation, Verdict } from "./Situation.ts"

/**
 * A function that decides about a call, whoever wrote it.
 *
 * @category models
 * @since 0.1.0
 */
export type Decide = (situation: Situation) => Verdict | PromiseLike<Verdict> | Effect.Effect<Verdict, unknown>

/**
 * Makes a `Decide` of a function with answers of its own. An answer that the
 * table does not know breaks the law that was being checked.
 *
 * **Example** (Another one's decision function)
 *
 * ```ts
 * import * as Testing from "toolgate/testing"
 *
 * const theirs = (tool: string, denied: ReadonlyArray<string>) => denied.includes(tool) ? "block" : "prompt"
 *
 * const decide = Testing.adapt(
 *   ({ rules, tool }) => theirs(tool, rules.userSettings?.deny ?? []),
 *   { block: "deny", prompt: "ask" }
 * )
 * typeof decide // => "function"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const adapt = (
  decide: (situation: Situation) => string | PromiseLike<string>,
  verdicts: { readonly [answer: string]: Verdict }
): Decide =>
async (situation) => {
  const answer = await decide(situation)
  const verdict = Object.hasOwn(verdicts, answer) ? verdicts[answer] : undefined
  if (verdict === undefined) throw new Error(`\`${answer}\` is no known answer`)
  return verdict
}

/**
 * Asks a function to decide. Whatever it throws, rejects with or returns instead
 * of a verdict is a failure, told in words.
 *
 * @category running
 * @since 0.1.0
 */
export const verdictOf = (decide: Decide, situation: Situation): Effect.Effect<Verdict, string> =>
  Effect.suspend((): Effect.Effect<unknown, unknown> => {
    const answer = decide(situation)
    if (Effect.isEffect(answer)) return answer
    return typeof answer === "string" ? Effect.succeed(answer) : Effect.promise(() => Promise.resolve(answer))
  }).pipe(
    Effect.filterOrFail(isVerdict, (answer) => `${String(answer)} is no verdict`),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(String(Cause.squash(cause)))
    )
  )

const isVerdict = Schema.is(Verdict)
