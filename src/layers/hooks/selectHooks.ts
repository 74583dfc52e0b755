/**
 * Which of the configured hooks an event of a call runs.
 *
 * @since 0.1.0
 */
import type { Hook, HookEntry, HookEvent } from "../../domain/Hook.ts"
import type { HookCall } from "../../services/HookRunner.ts"
import * as Matcher from "./Matcher.ts"

/**
 * The hooks that listen to an event of a call, in the order of configuration,
 * identical ones once, and what was wrong with their matchers.
 *
 * **Details**
 *
 * Identical hooks stand where the first of them does, speak for the strongest
 * source among them and fail as strictly as the strictest. A batch has no tool,
 * so that matchers mean nothing there.
 *
 * @category selecting
 * @since 0.1.0
 */
export const selectHooks = (
  event: HookEvent,
  call: HookCall,
  more: ReadonlyArray<HookEntry> = []
): { readonly entries: ReadonlyArray<HookEntry>; readonly problems: ReadonlyArray<string> } => {
  if (call.policy.hooks.length + more.length === 0) return nobody
  const listening = [...call.policy.hooks, ...more].filter((entry) => entry.event === event)
  if (listening.length === 0) return nobody
  const problems = new Set<string>()
  const chosen = new Map<string, HookEntry>()
  for (const entry of listening.toSorted((one, other) => one.order - other.order)) {
    const matcher = Matcher.read(event === "PostToolBatch" ? "" : entry.matcher)
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

/**
 * What makes two hooks the same one.
 *
 * @category getters
 * @since 0.1.0
 */
export const keyOf = ({ event, hook, order }: HookEntry): string => {
  const condition = hook.if ?? null
  switch (hook.type) {
    case "command":
      return JSON.stringify([event, "command", hook.command, hook.args ?? null, condition])
    case "http":
      return JSON.stringify([event, "http", hook.url, hook.headers ?? null, hook.allowedEnvVars ?? null, condition])
    case "prompt":
      return JSON.stringify([event, "prompt", hook.prompt, hook.model ?? null, condition])
    case "in-process":
      return JSON.stringify([event, "in-process", hook.name, order])
    default:
      return JSON.stringify([event, hook.type, order])
  }
}

const together = (first: HookEntry, second: HookEntry): HookEntry => {
  const onFailure = [first.hook.onFailure, second.hook.onFailure]
  const { onFailure: _, ...hook } = stricter(first.hook, second.hook)
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

// Waited for, every time, and as one that denies for good: whichever of the two says so.
const stricter = (first: Hook, second: Hook): Hook => {
  const { once: _, ...every } = first
  const hook: Hook = first.once === true && second.once === true ? first : every
  if (hook.type === "command" && second.type === "command" && hook.async === true && second.async !== true) {
    const { async: _, ...awaited } = hook
    return awaited
  }
  if (hook.type === "prompt" && second.type === "prompt" && second.continueOnBlock !== true) {
    const { continueOnBlock: _, ...ending } = hook
    return ending
  }
  return hook
}
