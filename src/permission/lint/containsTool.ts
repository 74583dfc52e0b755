/**
 * Whether the tools that one rule speaks of are among those of another.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import { matchTool } from "../rule/matchTool.ts"
import { containsText } from "./containsText.ts"

/**
 * Says whether every tool that `inner` speaks of is one that `outer` speaks of.
 *
 * **Gotchas**
 *
 * A server is thought to have no two underscores in a row in its name, since of
 * `mcp__a__b__c` nobody could say otherwise whose tool it is.
 *
 * @category predicates
 * @since 0.1.0
 */
export const containsTool = (outer: Wildcard, inner: Wildcard): boolean => {
  const [name = "", ...gaps] = inner
  const [owner = ""] = outer
  if (outer.length === inner.length && outer.every((piece, index) => piece === inner[index])) return true
  // This could be a server after all, or one tool of another.
  if (/^mcp__.+__.+(?:__)?$/.test(owner) && (outer.length === 1 || owner.endsWith("__"))) return false
  if (gaps.length > 0) {
    return outer.length > 1 ? containsText(outer, inner) : isServer(owner) && name.startsWith(`${owner}__`)
  }
  // The name of a server stands for all of its tools.
  return matchTool(outer, name) &&
    (outer.length === 1 || !isServer(name) || containsText(outer, [`${name}__`, ""]))
}

const isServer = (name: string): boolean => name.startsWith("mcp__") && name.length > 5
