/**
 * Finds rules about MCP servers that nobody configured.
 *
 * @since 0.1.0
 */
import { mcpServerName, mcpToolPrefix } from "../../domain/mcpNames.ts"
import { nearest } from "../../domain/nearest.ts"
import type { Rule } from "../../domain/Rule.ts"

/**
 * A rule about a server that is not there, and which one was probably meant.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnknownServer {
  readonly rule: Rule
  readonly server: string
  readonly near: string | undefined
}

/**
 * Says which server a rule is about that is none of the configured ones.
 *
 * **Details**
 *
 * What a person or a policy says for all projects may be about a server of another
 * one, unless it is nearly the name of one that is there.
 *
 * @category searching
 * @since 0.1.0
 */
export const unknownServer = (rule: Rule, servers: ReadonlyArray<string>): UnknownServer | undefined => {
  const [start = "", ...rest] = rule.pattern.tool
  const [, server, end] = /^mcp__((?:(?!__).)+)(__)?/s.exec(start) ?? []
  // A star in the name of a server may stand for any.
  if (server === undefined || (end === undefined && rest.length > 0)) return undefined
  if (elsewhere.test(server) || servers.some((name) => isAbout(start, rest, name))) {
    return undefined
  }
  const [near] = nearest(server, servers.map(mcpServerName), 1)
  return near === undefined && everywhere.has(rule.origin.source) ? undefined : { rule, server, near }
}

const isAbout = (start: string, rest: ReadonlyArray<string>, name: string): boolean => {
  const prefix = mcpToolPrefix(name)
  return `${start}__`.startsWith(prefix) || (rest.length > 0 && prefix.startsWith(start))
}

// Of the program that shares these files, whose own servers, plugins and connectors are configured nowhere.
const elsewhere = /^(?:ide$|plugin_|claude_ai_)/

const everywhere: ReadonlySet<Rule["origin"]["source"]> = new Set(["userSettings", "policySettings"])
