/**
 * Runs a case and judges what was seen.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Case } from "./Case.ts"
import type { Need } from "./Check.ts"
import { checkOf } from "./checks/all.ts"
import type { Observation } from "./Observation.ts"
import { observe } from "./observe.ts"
import { settingsFiles } from "./settingsFiles.ts"

/**
 * How a case went. It falls short when there is any `lack`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome {
  readonly id: string
  readonly area: string
  readonly severity: string
  readonly expected: string
  readonly got: string
  /** The candidate that decided: row, kind, and the rule with its source. */
  readonly deciding: string
  readonly lacks: ReadonlyArray<string>
  /** Whether a machine that is busy with other things could be to blame. */
  readonly timed: boolean
}

/**
 * Runs one case.
 *
 * @category running
 * @since 0.1.0
 */
export const runCase = Effect.fnUntraced(function*(one: Case): Effect.fn.Return<Outcome> {
  const { also = [], alsoOk = [], decision } = one.expect
  const exit = yield* Effect.exit(Effect.timeoutOption(observe(one, needsOf(one)), longestMillis))
  if (exit._tag === "Failure") return broken(one, `running it failed: ${Cause.pretty(exit.cause)}`)
  if (exit.value._tag === "None") return broken(one, `it did not end within ${longestMillis} ms`)
  const seen = exit.value.value
  const fits = seen.readings.some((reading) => reading === decision || alsoOk.includes(reading))
  return {
    ...headOf(one),
    got: seen.readings.join(" or "),
    deciding: decidingOf(seen),
    lacks: [
      ...(fits ? [] : [`the decision is ${seen.readings.join(" or ")}`]),
      ...settingsFiles(one, []).unknown.map((source) => `there is no source \`${source}\``),
      ...also.flatMap((sentence) => {
        const check = checkOf(sentence)
        if (check === undefined) return [`no check for: ${sentence}`]
        return check.holds(seen) ? [] : [`not so: ${sentence}`]
      })
    ]
  }
})

/**
 * Whether running a case starts processes or waits, so that it takes its time.
 *
 * @category getters
 * @since 0.1.0
 */
export const takesTime = (one: Case): boolean =>
  one.given.hooks !== undefined || one.given.batch !== undefined || needsOf(one).size > 0

const longestMillis = 60_000

const headOf = (one: Case): Pick<Outcome, "area" | "expected" | "id" | "severity" | "timed"> => ({
  id: one.id,
  area: one.area,
  severity: one.severity,
  expected: [one.expect.decision, ...one.expect.alsoOk ?? []].join(" or "),
  timed: needsOf(one).has("clock") || one.given.hooks !== undefined || one.given.abortAfterMs !== undefined
})

const broken = (one: Case, why: string): Outcome => ({
  ...headOf(one),
  got: "nothing",
  deciding: "nothing was decided",
  lacks: [why]
})

const needsOf = ({ expect: { also = [] } }: Case): ReadonlySet<Need> =>
  new Set(also.flatMap((sentence) => checkOf(sentence)?.needs ?? []))

const decidingOf = ({ explained, decision = explained }: Observation): string => {
  if (decision === undefined) return "nothing was decided"
  const { by, row, rule, why } = decision
  const origin = rule === undefined
    ? ""
    : `${rule.origin.source}${rule.origin.line === undefined ? "" : `:${rule.origin.line}`}`
  return rule === undefined ? `row ${row}, ${by}: ${why}` : `row ${row}, ${by} \`${rule.text}\` of ${origin}: ${why}`
}
