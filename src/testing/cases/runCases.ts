/**
 * Runs many cases, and says how they went.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Line } from "./Case.ts"
import { type Outcome, runCase, takesTime } from "./runCase.ts"

/**
 * Runs the cases of a file, in its order. What takes time is run side by side;
 * what falls short where time matters gets a second run, alone.
 *
 * @category running
 * @since 0.1.0
 */
export const runCases = Effect.fnUntraced(function*(
  lines: ReadonlyArray<Line>
): Effect.fn.Return<ReadonlyArray<Outcome>> {
  const slow = (line: Line) => line._tag === "Case" && takesTime(line.case)
  const quick = yield* Effect.forEach(lines.filter((line) => !slow(line)), outcomeOf)
  const others = yield* Effect.forEach(lines.filter(slow), outcomeOf, { concurrency: 6 })
  const again = others.filter(([, { lacks, timed }]) => timed && lacks.length > 0)
  const byLine = new Map([...quick, ...others, ...(yield* Effect.forEach(again, ([line]) => outcomeOf(line)))])
  return lines.flatMap((line) => byLine.get(line) ?? [])
})

const outcomeOf = (line: Line): Effect.Effect<readonly [Line, Outcome]> =>
  Effect.map(line._tag === "Case" ? runCase(line.case) : Effect.succeed(notACase(line)), (outcome) => [line, outcome])

const notACase = ({ id, problem }: Extract<Line, { readonly _tag: "Problem" }>): Outcome => ({
  id,
  area: "?",
  severity: "?",
  expected: "a case",
  got: "none",
  deciding: "it was not run",
  lacks: [problem],
  timed: false
})

/**
 * One line for each case that falls short, and the totals.
 *
 * @category formatting
 * @since 0.1.0
 */
export const report = (outcomes: ReadonlyArray<Outcome>): string => {
  const short = outcomes.filter(({ lacks }) => lacks.length > 0)
  return [
    ...short.map(({ area, deciding, expected, got, id, lacks, severity }) =>
      printable(`${id} [${area}, ${severity}] expected ${expected}, got ${got}; ${lacks.join("; ")} | ${deciding}`)
    ),
    ...(short.length === 0 ? [] : [""]),
    ...table("area", outcomes, ({ area }) => area),
    "",
    ...table("severity", outcomes, ({ severity }) => severity),
    "",
    `${outcomes.length - short.length} of ${outcomes.length} cases hold`
  ].join("\n")
}

// Cases hold characters that a terminal would act upon.
const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => character === "\n" ? "\\n" : `<${(character.codePointAt(0) ?? 0).toString(16)}>`
  )

const table = (
  title: string,
  outcomes: ReadonlyArray<Outcome>,
  keyOf: (outcome: Outcome) => string
): ReadonlyArray<string> => {
  const rows = new Map<string, { all: number; hold: number }>()
  for (const outcome of outcomes) {
    const row = rows.get(keyOf(outcome)) ?? { all: 0, hold: 0 }
    row.all += 1
    if (outcome.lacks.length === 0) row.hold += 1
    rows.set(keyOf(outcome), row)
  }
  const width = Math.max(title.length, ...[...rows.keys()].map((key) => key.length))
  return [
    `${title.padEnd(width)}   hold  short`,
    ...[...rows].sort().map(([key, { all, hold }]) =>
      `${key.padEnd(width)}  ${String(hold).padStart(5)}  ${String(all - hold).padStart(5)}`
    )
  ]
}
