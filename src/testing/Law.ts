/**
 * Laws: sentences that hold in every situation, checked against a function in
 * many of them. No test runner is needed, and none is known here.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { type Decide, verdictOf } from "./Decide.ts"
import { Situation, type Verdict } from "./Situation.ts"

/**
 * How a law is checked.
 *
 * **Details**
 *
 * `runs` is 100 when left out. The same `seed` draws the same situations;
 * `replay` is the token of a broken law and shows that failure again.
 *
 * @category options
 * @since 0.1.0
 */
export interface CheckOptions {
  readonly runs?: number | undefined
  readonly seed?: string | number | undefined
  readonly replay?: string | undefined
}

/**
 * What came of checking a law.
 *
 * **Details**
 *
 * - `applied`: in how many of the runs the law had something to say.
 * - `counterexample`: the smallest failure found, one line of JSON that
 *   `recheck` takes.
 * - `why`: what was decided there, or how the function failed.
 *
 * @category models
 * @since 0.1.0
 */
export type LawResult =
  | {
    readonly _tag: "Held"
    readonly law: string
    readonly runs: number
    readonly applied: number
    readonly seed: string | number
  }
  | {
    readonly _tag: "Broken"
    readonly law: string
    readonly runs: number
    readonly counterexample: string
    readonly why: string
    readonly replay: string
    readonly seed: string | number
  }
  | { readonly _tag: "Unchecked"; readonly law: string; readonly why: string; readonly seed: string | number }

/**
 * A law about functions of one kind.
 *
 * @category models
 * @since 0.1.0
 */
export interface Law<in Subject = Decide> {
  readonly name: string
  readonly statement: string
  /** Checks the law in situations drawn at random. Never fails: what was found is in the result. */
  readonly check: (subject: Subject, options?: CheckOptions) => Effect.Effect<LawResult>
  /** Checks the law in the situations of one counterexample. */
  readonly recheck: (subject: Subject, counterexample: string) => Effect.Effect<LawResult>
}

/**
 * What a law makes of a function in given situations.
 *
 * @category models
 * @since 0.1.0
 */
export interface Finding {
  readonly applies: boolean
  readonly holds: boolean
  readonly told: string
}

/**
 * Makes a law of situations and of what should be found there. A failure breaks
 * the law: deciding is total.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Subject, Situations extends ReadonlyArray<Situation>>(given: {
  readonly name: string
  readonly statement: string
  readonly situations: Arbitrary.Arbitrary<Situations>
  readonly look: (subject: Subject, situations: Situations) => Effect.Effect<Finding, string>
}): Law<Subject> => {
  const { name, situations, statement } = given
  const look = (subject: Subject, drawn: Situations): Effect.Effect<Finding> =>
    Effect.catch(given.look(subject, drawn), (told) => Effect.succeed({ applies: true, holds: false, told }))
  return {
    name,
    statement,

    check: Effect.fnUntraced(function*(subject, { replay, runs = 100, seed } = {}) {
      const drawnFrom = seed ?? (yield* Random.nextInt)
      let applied = 0
      const result = yield* Arbitrary.checkEffect(
        situations,
        (drawn) =>
          Effect.map(look(subject, drawn), ({ applies, holds }) => {
            if (applies) applied++
            return holds
          }),
        { runs, seed: drawnFrom, replay, maxShrinks: mostShrinks, maxDiscards: runs * 10 }
      ).pipe(
        Effect.catchDefect((defect) =>
          replay === undefined ? Effect.die(defect) : Effect.succeed({ _tag: "NoReplay" } as const)
        )
      )
      switch (result._tag) {
        case "Passed":
          return { _tag: "Held", law: name, runs: result.runs, applied, seed: drawnFrom }
        case "Falsified":
          return {
            ...yield* broken(subject, result.shrunkInput),
            runs: result.runs,
            replay: result.replay,
            seed: drawnFrom
          }
        case "Exhausted":
          return { _tag: "Unchecked", law: name, why: "too few situations could be drawn", seed: drawnFrom }
        case "NoReplay":
          return { _tag: "Unchecked", law: name, why: "the text is no replay", seed: drawnFrom }
        case "ReplayMismatch":
          return {
            _tag: "Unchecked",
            law: name,
            why: `the replay does not fail any more: ${result.reason}`,
            seed: drawnFrom
          }
      }
    }),

    recheck: Effect.fnUntraced(function*(subject, counterexample) {
      const read = yield* Effect.result(decodeExample(counterexample))
      if (read._tag === "Failure" || read.success.law !== name) {
        return { _tag: "Unchecked", law: name, why: "the line is no counterexample of this law", seed: 0 }
      }
      // What the line holds was drawn for this law, so that it has as many situations.
      const drawn = read.success.situations as ReadonlyArray<Situation> as Situations
      const { applies, holds } = yield* look(subject, drawn)
      return holds
        ? { _tag: "Held", law: name, runs: 1, applied: applies ? 1 : 0, seed: 0 }
        : yield* broken(subject, drawn)
    })
  }

  function broken(subject: Subject, drawn: Situations) {
    return Effect.map(look(subject, drawn), ({ told }) => ({
      _tag: "Broken" as const,
      law: name,
      runs: 1,
      counterexample: JSON.stringify({ law: name, situations: drawn }),
      why: told,
      replay: "",
      seed: 0 as string | number
    }))
  }
}

/**
 * Makes a law about the verdicts alone, one for each situation.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofVerdicts = <const Situations extends ReadonlyArray<Situation>>(given: {
  readonly name: string
  readonly statement: string
  readonly situations: Arbitrary.Arbitrary<Situations>
  readonly applies?: (verdicts: Verdicts<Situations>) => boolean
  readonly holds: (verdicts: Verdicts<Situations>) => boolean
}): Law =>
  make({
    ...given,
    look: (decide: Decide, situations) =>
      Effect.map(
        Effect.forEach(situations, (situation) => verdictOf(decide, situation)),
        (all) => {
          // `forEach` gives one verdict for each situation, in their order.
          const verdicts = all as ReadonlyArray<Verdict> as Verdicts<Situations>
          const applies = given.applies?.(verdicts) ?? true
          return { applies, holds: !applies || given.holds(verdicts), told: `decided ${all.join(", then ")}` }
        }
      )
  })

/**
 * A verdict for each situation.
 *
 * @category utility types
 * @since 0.1.0
 */
export type Verdicts<Situations extends ReadonlyArray<Situation>> = {
  readonly [Index in keyof Situations]: Verdict
}

const mostShrinks = 4000

const decodeExample = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ law: Schema.String, situations: Schema.Array(Situation) }))
)
