/**
 * What the hooks that ran before a tool decided together.
 *
 * @since 0.1.0
 */
import { isDeepStrictEqual } from "node:util"
import { type HookOutcome, silent } from "../../domain/Hook.ts"
import type { Opinion } from "./readBefore.ts"

/**
 * Merges what hooks said, deny over ask over allow.
 *
 * **Details**
 *
 * `opinions` stand in the order of configuration. Nothing here knows which hook
 * finished first. Of several rewrites the last in that order stands. Of several
 * that allow, one that covers the input that will run speaks, of those one that
 * `policySettings` configured.
 *
 * @category combining
 * @since 0.1.0
 */
export const mergeBefore = (
  opinions: ReadonlyArray<Opinion>,
  input: { readonly [key: string]: unknown }
): HookOutcome => {
  if (opinions.length === 0) return silent
  const rewritten = opinions.findLast((opinion) => opinion.updatedInput !== undefined)?.updatedInput
  const final = rewritten ?? input
  const covers = (opinion: Opinion): boolean => isDeepStrictEqual(opinion.updatedInput ?? input, final)
  const speaker = speaking(opinions, covers)
  return {
    decision: speaker?.decision ?? "none",
    reason: speaker?.reason,
    source: speaker?.entry.source,
    name: speaker?.run.name,
    allowsInput: speaker?.decision === "allow" && covers(speaker),
    rewritten: isDeepStrictEqual(final, input) ? undefined : rewritten,
    endsTurn: opinions.find((opinion) => opinion.endsTurn !== undefined)?.endsTurn,
    runs: opinions.map((opinion) => opinion.run),
    context: opinions.flatMap((opinion) => opinion.context ?? []),
    messages: opinions.flatMap((opinion) => opinion.messages)
  }
}

const speaking = (
  opinions: ReadonlyArray<Opinion>,
  covers: (opinion: Opinion) => boolean
): Opinion | undefined => {
  const saying = (decision: Opinion["decision"]) => opinions.filter((opinion) => opinion.decision === decision)
  const strict = saying("deny").find((opinion) => opinion.endsTurn !== undefined) ?? saying("deny")[0] ??
    saying("ask")[0]
  if (strict !== undefined) return strict
  const rank = (opinion: Opinion): number =>
    (covers(opinion) ? 2 : 0) + (opinion.entry.source === "policySettings" ? 1 : 0)
  return saying("allow").reduce<Opinion | undefined>(
    (best, opinion) => best === undefined || rank(opinion) > rank(best) ? opinion : best,
    undefined
  )
}
