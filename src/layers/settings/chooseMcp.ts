/**
 * What all settings together say of MCP servers.
 *
 * @since 0.1.0
 */
import type { McpPolicy } from "../../domain/Policy.ts"
import type { Source } from "./combine.ts"

/**
 * Combines what sources, weakest first, say of MCP servers. Nothing where none
 * says something.
 *
 * **Details**
 *
 * What disables or denies counts from everywhere, what enables or allows not from
 * a repository that nobody trusts. With `allowManagedMcpServersOnly` only managed
 * settings allow; should these name none, there is none.
 *
 * @category combining
 * @since 0.1.0
 */
export const chooseMcp = (sources: ReadonlyArray<Source>): McpPolicy | undefined => {
  const all = sources.flatMap(({ brought, settings: { mcp, place }, shared = false }) =>
    mcp === undefined
      ? []
      : [{ ...mcp, brought: brought !== undefined, shared, managed: place.source === "policySettings" }]
  )
  if (all.length === 0) return undefined
  const own = all.filter(({ brought }) => !brought)
  const managed = all.filter(({ managed }) => managed)
  const managedOnly = managed.some(({ managedOnly }) => managedOnly === true)
  const allowing = (managedOnly ? managed : own).flatMap(({ allowed }) => allowed === undefined ? [] : [allowed])
  return {
    enableAll: own.findLast(({ enableAll }) => enableAll !== undefined)?.enableAll ?? false,
    enabled: own.flatMap(({ enabled }) => enabled),
    disabled: all.flatMap(({ disabled }) => disabled),
    denied: all.flatMap(({ denied }) => denied),
    servers: all.flatMap(({ brought, servers, shared }) => servers.map((server) => ({ ...server, brought, shared }))),
    ...(managedOnly || allowing.length > 0 ? { allowed: allowing.flat() } : {})
  }
}
