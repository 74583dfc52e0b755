/**
 * Names of MCP servers and their tools, as rules and models use them.
 *
 * @since 0.1.0
 */

/**
 * The name of a server in `mcp__server__tool`: what is no letter, digit,
 * underscore or hyphen becomes an underscore.
 *
 * **Example** (A name with spaces)
 *
 * ```ts
 * import { mcpServerName } from "toolgate/domain/mcpNames"
 *
 * mcpServerName("Deep Graph MCP") // => "Deep_Graph_MCP"
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const mcpServerName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_")

/**
 * How long the name of a server may be, which leaves room for a tool's. A longer
 * one would have to be cut, and no rule that somebody wrote would be about it.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxMcpServerLength = 64

/**
 * The name under which rules and models know a server's tool, of the 128
 * characters at most that the Messages API takes. What is longer is cut and told
 * apart by a checksum.
 *
 * **Example** (A tool of a server)
 *
 * ```ts
 * import { mcpToolName } from "toolgate/domain/mcpNames"
 *
 * mcpToolName("git hub", "issues/list") // => "mcp__git_hub__issues_list"
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const mcpToolName = (server: string, tool: string): string =>
  cut(mcpServerName(`${mcpToolPrefix(server)}${tool}`))

/**
 * How the names of all tools of a server begin.
 *
 * @category converting
 * @since 0.1.0
 */
export const mcpToolPrefix = (server: string): string => `mcp__${mcpServerName(server)}__`

/**
 * The name that somebody meant who wrote `mcp__server__tool` the way server and
 * tool are called where they come from. Stars stay, as rules have them.
 *
 * **Example** (A server with a dot)
 *
 * ```ts
 * import { mcpNameOf } from "toolgate/domain/mcpNames"
 *
 * mcpNameOf("mcp__git.hub__delete") // => "mcp__git_hub__delete"
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const mcpNameOf = (written: string): string =>
  written.includes("*") ? written.split("*").map(mcpServerName).join("*") : cut(mcpServerName(written))

const maxLength = 128

const cut = (name: string): string =>
  name.length <= maxLength ? name : `${name.slice(0, maxLength - 9)}_${checksum(name)}`

/** FNV-1a, which needs no platform; it only has to tell a few names apart. */
const checksum = (text: string): string => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, "0")
}
