/**
 * Whether somebody allowed one tool of a server, not all that it may have.
 *
 * @since 0.1.0
 */
import type { Policy } from "../domain/Policy.ts"

/**
 * Says whether an allow rule names that very tool. What a server claims of a tool
 * goes before a rule for all of its tools, and yields to such a one.
 *
 * @category guards
 * @since 0.1.0
 */
export const allowsByName = ({ rules }: Pick<Policy, "rules">, tool: string): boolean =>
  rules.some(({ behavior, pattern }) => behavior === "allow" && pattern.tool.length === 1 && pattern.tool[0] === tool)
