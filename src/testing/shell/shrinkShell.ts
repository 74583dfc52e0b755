/**
 * Makes a syntax tree smaller, one step at a time.
 *
 * @since 0.1.0
 */
import type { Shell, Simple, Word } from "./Shell.ts"

/**
 * Returns the trees that are one step simpler: a part of it alone, a word less,
 * a plainer quoting, or the same with a simpler part.
 *
 * @category shrinking
 * @since 0.1.0
 */
export const shrinkShell = (shell: Shell): ReadonlyArray<Shell> => {
  switch (shell._tag) {
    case "Simple":
      return shrinkSimple(shell)
    case "List": {
      const { first, second } = shell
      return [
        first,
        second,
        ...shrinkShell(first).map((smaller): Shell => ({ ...shell, first: smaller })),
        ...shrinkShell(second).map((smaller): Shell => ({ ...shell, second: smaller }))
      ]
    }
    case "Wrapped":
      return [shell.body, ...shrinkSimple(shell.body).map((body): Shell => ({ ...shell, body }))]
    case "Group":
    case "Substitution":
    case "Script":
      return [shell.body, ...shrinkShell(shell.body).map((body): Shell => ({ ...shell, body }))]
  }
}

/**
 * Returns the commands that are one step simpler.
 *
 * @category shrinking
 * @since 0.1.0
 */
export const shrinkSimple = (simple: Simple): ReadonlyArray<Simple> => [
  ...without(simple.redirects).map((redirects) => ({ ...simple, redirects })),
  ...without(simple.assignments).map((assignments) => ({ ...simple, assignments })),
  ...without(simple.words).map((words) => ({ ...simple, words })),
  ...plainer(simple.program).map((program) => ({ ...simple, program })),
  ...simple.words.flatMap((word, at) =>
    plainer(word).map((smaller) => ({ ...simple, words: simple.words.with(at, smaller) }))
  )
]

const without = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => all.map((_, at) => all.toSpliced(at, 1))

const plainer = (word: Word): ReadonlyArray<Word> => word.quoting === "bare" ? [] : [{ ...word, quoting: "bare" }]
