/**
 * Effects that an application hands over.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * Returns an effect as it is. What is none, such as the promise of an `async`
 * function in a program that no compiler looks at, is a defect that says who gave
 * it: to run it would end the fiber with no finalizer.
 *
 * **Example** (An effect, which nothing happens to)
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { effectOf } from "toolgate/domain/effectOf"
 *
 * const given = Effect.succeed("clear")
 *
 * effectOf("the handler of `Weather`", given) === given // => true
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const effectOf = <A, E, R>(whose: string, given: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.isEffect(given)
    ? given
    : Effect.die(new TypeError(`${whose} gave no effect: a promise has to be wrapped with Effect.promise`))
