/**
 * The decision about a file that a tool really opened, once it runs.
 *
 * @since 0.1.0
 */
import type { ResolvedPath } from "../domain/ResolvedPath.ts"
import type { DemandOf } from "./Demand.ts"
import type { Evidence } from "./Evidence.ts"
import { covers, reaches } from "./matchDemand.ts"
import { inside } from "./path/inside.ts"
import { below } from "./path/normalise.ts"
import { indexOf } from "./RuleIndex.ts"
import { rulesFor } from "./rulesFor.ts"
import { safetyOf } from "./safetyOf.ts"

/**
 * Says whether a permitted call may open a path.
 *
 * **Details**
 *
 * A path that the decision has seen may be opened, and for a search whatever
 * lies below it; another one only if it would be permitted by rule, mode or
 * place alone. What a rule denies is never opened, unless a hook's allow went
 * before that rule.
 *
 * @category deciding
 * @since 0.1.0
 */
export const fileGuard = (evidence: Evidence): (access: "read" | "edit", resolved: ResolvedPath) => boolean => {
  const rules = rulesFor(indexOf(evidence.policy), evidence)
  const judged = new Set(pathsOf(evidence))
  const folders = evidence.effective.demands.flatMap((demand) =>
    demand._tag === "Folder" ? [...pathsFor(demand.path, evidence)] : []
  )
  return (access, resolved) => {
    if (resolved.problem !== undefined) return false
    const opened: Evidence = {
      ...evidence,
      resolved: new Map([...evidence.resolved, [resolved.written, resolved]])
    }
    const file: DemandOf<"File"> = {
      _tag: "File",
      label: resolved.written,
      access,
      path: resolved.written,
      word: undefined,
      directory: ".",
      recursive: false,
      dotted: false,
      from: "tool",
      owner: undefined,
      command: undefined
    }
    const all = [resolved.written, ...resolved.real]
    const seen = all.every((path) =>
      judged.has(path) || access === "read" && folders.some((folder) => below(path, folder) !== undefined)
    )
    const hookAllowed = evidence.hook.decision === "allow" && evidence.hook.allowsInput
    if (hookAllowed && seen && folders.length === 0) return true
    const forbids = rules.restricting(file).some((rule) =>
      (rule.behavior === "deny" || !seen) && reaches(rule, file, evidence.effective, opened).matched !== "no"
    )
    if (forbids) return false
    if (seen) return true
    if (access === "edit" && safetyOf(file, opened) !== undefined) return false
    if (evidence.mode === "bypassPermissions") return true
    if (rules.allowing(file).some((rule) => covers(rule, file, opened).matched === "yes")) return true
    return inside(resolved, evidence.place) && (access === "read" || evidence.mode === "acceptEdits")
  }
}

const pathsFor = (path: string, { resolved }: Evidence): ReadonlyArray<string> => {
  const found = resolved.get(path)
  return found === undefined ? [path] : [found.written, ...found.real]
}

const pathsOf = (evidence: Evidence): ReadonlyArray<string> =>
  evidence.effective.demands.flatMap((demand) =>
    demand._tag === "File" && demand.path !== undefined ? [...pathsFor(demand.path, evidence)] : []
  )
