/**
 * Which of the configured hooks an event of a call runs.
 *
 * @since 0.1.0
 */
import type { HookEntry, HookEvent } from "../../domain/Hook.ts"
import type { HookCall } from "../../services/HookRunner.ts"
import * as Matcher from "./Matcher.ts"

/**
 * The hooks that listen to an event of a call, in the order of configuration,
 * identical ones once, and what was wrong with their matchers.
 *
 * **Details**
 *
 * Identical hooks stand where the first of them does, speak for the strongest
 * source among them and fail as strictly as the strictest.
 *
 * @category selecting
 * @since 0.1.0
 */
export const selectHooks = (
  event: HookEvent,
  call: HookCall
): { readonly entries: ReadonlyArray<HookEntry>; readonly problems: ReadonlyArray<string> } => {
  const listening = call.policy.hooks.filter((entry) => entry.event === event)
  if (listening.length === 0) return nobody
  const problems = new Set<string>()
  const chosen = new Map<string, HookEntry>()
  for (const entry of listening.toSorted((one, other) => one.order - other.order)) {
    const matcher = Matcher.read(entry.matcher)
    if (!matcher.matches(call.tool)) continue
    if (matcher.problem !== undefined) {
      problems.add(
        `the hook matcher \`${entry.matcher.slice(0, 100)}\` ${matcher.problem}, so its hooks run for every tool`
      )
    }
    const key = keyOf(entry)
    const same = chosen.get(key)
    chosen.set(key, same === undefined ? entry : together(same, entry))
  }
  return { entries: [...chosen.values()], problems: [...problems] }
}

const nobody = { entries: [], problems: [] }

const keyOf = ({ hook, order }: HookEntry): string =>
  JSON.stringify(hook.type === "command" ? [hook.command, hook.args ?? null, hook.if ?? null] : order)

const together = (first: HookEntry, second: HookEntry): HookEntry => {
  const onFailure = [first.hook.onFailure, second.hook.onFailure]
  const { onFailure: _, ...hook } = first.hook
  return {
    ...first,
    source: second.source === "policySettings" ? second.source : first.source,
    hook: onFailure.includes("block")
      ? { ...hook, onFailure: "block" }
      : onFailure.includes(undefined)
      ? hook
      : { ...hook, onFailure: "continue" }
  }
}
