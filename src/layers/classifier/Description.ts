/**
 * The user's own descriptions of what may and may not be done, from rules such as
 * `Bash(prompt: run the test suite)`.
 *
 * @since 0.1.0
 */
import type { Policy } from "../../domain/Policy.ts"
import type { Behavior } from "../../domain/Rule.ts"

/**
 * A description and what its rule says.
 *
 * @category models
 * @since 0.1.0
 */
export interface Description {
  readonly text: string
  readonly behavior: Behavior
}

/**
 * The descriptions of a policy, each once, in an order that no source decides.
 *
 * @category getters
 * @since 0.1.0
 */
export const of = ({ rules }: Pick<Policy, "rules">): ReadonlyArray<Description> => {
  const found = new Map<string, Description>()
  for (const { behavior, pattern: { specifier } } of rules) {
    if (specifier._tag === "Description") {
      const text = specifier.text.trim().slice(0, 1_000)
      found.set(`${text}\u0000${behavior}`, { text, behavior })
    }
  }
  return [...found.keys()].sort().slice(0, 200).flatMap((key) => found.get(key) ?? [])
}
