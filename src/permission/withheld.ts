/**
 * Which tools a model need not hear of.
 *
 * @since 0.1.0
 */
import type { Policy } from "../domain/Policy.ts"
import type { Tool } from "../domain/Tool.ts"
import { matchTool } from "./rule/matchTool.ts"

/**
 * Says whether a deny rule forbids every call of a tool, so that offering it to a
 * model would only lead it astray. A rule for some of its calls withholds
 * nothing.
 *
 * @category checks
 * @since 0.1.0
 */
export const withheld = ({ rules }: Pick<Policy, "rules">, { name, server }: Pick<Tool, "name" | "server">): boolean =>
  rules.some(({ behavior, pattern }) =>
    behavior === "deny" && pattern.specifier._tag === "Any" && matchTool(pattern.tool, name, server)
  )
