/**
 * Holds the tool part of a rule against the name of a tool.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import { matchPieces } from "./pieces.ts"

/**
 * Says whether a rule speaks of a tool.
 *
 * **Details**
 *
 * `mcp__server` stands for every tool of that server. Pass the `server` that a
 * tool belongs to where it is known: `mcp__my__srv__run` may be a tool of `my`
 * or of `my__srv`, and its name alone doesn't tell.
 *
 * **Example** (Speaking of a server)
 *
 * ```ts
 * import { matchTool } from "toolgate/permission/rule/matchTool"
 *
 * matchTool(["mcp__git"], "mcp__git__log") // => true
 * matchTool(["mcp__git"], "mcp__github__log") // => false
 * ```
 *
 * @category matching
 * @since 0.1.0
 */
export const matchTool = (tool: Wildcard, name: string, server?: string): boolean => {
  const first = tool[0] ?? ""
  if (tool.length > 1) {
    const owner = server === undefined ? undefined : /^mcp__(.+)__$/s.exec(first)?.[1]
    return matchPieces(tool, name) && (tool.length > 2 || tool[1] !== "" || owner === undefined || owner === server)
  }
  if (first === name) return true
  if (!first.startsWith("mcp__") || first.length === 5) return false
  return server === undefined ? name.startsWith(`${first}__`) : name.startsWith("mcp__") && first === `mcp__${server}`
}
