/**
 * Choices between arbitraries.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

/**
 * Draws one of the given values. A failing value shrinks to none of the others.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pick = <const Values extends readonly [string, ...ReadonlyArray<string>]>(
  ...values: Values
): Arbitrary.Arbitrary<Values[number]> => Arbitrary.schema(Schema.Literals(values))

/**
 * Draws from one of the given arbitraries, each as often as the others.
 *
 * @category constructors
 * @since 0.1.0
 */
export const oneOf = <A>(
  first: Arbitrary.Arbitrary<A>,
  ...rest: ReadonlyArray<Arbitrary.Arbitrary<A>>
): Arbitrary.Arbitrary<A> => {
  const all = [first, ...rest]
  return Arbitrary.flatMap(below(all.length), (at) => all[at] ?? first)
}

/**
 * Draws a number from 0 up to, not including, a limit.
 *
 * @category constructors
 * @since 0.1.0
 */
export const below = (limit: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: limit - 1 })))
