/**
 * Names of MCP servers and their tools, as rules and models use them.
 *
 * @since 0.1.0
 */

/**
 * The name of a server in `mcp__server__tool`.
 *
 * **Details**
 *
 * What is no letter, digit, underscore or hyphen becomes an underscore. A name
 * too long to leave room for a tool's is cut and told apart by a checksum.
 *
 * **Example** (A name with spaces)
 *
 * ```ts
 * import { mcpServerName } from "toolgate/domain/mcpNames"
 *
 * mcpServerName("Deep Graph MCP") // => "Deep_Graph_MCP"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const mcpServerName = (name: string): string => cut(normal(name), maxServerLength, name)

/**
 * The name under which rules and models know a server's tool, of the 128
 * characters at most that the Messages API takes.
 *
 * **Example** (A tool of a server)
 *
 * ```ts
 * import { mcpToolName } from "toolgate/domain/mcpNames"
 *
 * mcpToolName("git hub", "issues/list") // => "mcp__git_hub__issues_list"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const mcpToolName = (server: string, tool: string): string =>
  cut(`${mcpToolPrefix(server)}${normal(tool)}`, maxToolLength, tool)

/**
 * How the names of all tools of a server begin.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mcpToolPrefix = (server: string): string => `mcp__${mcpServerName(server)}__`

const maxServerLength = 64
const maxToolLength = 128

const normal = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, "_")

const cut = (name: string, length: number, whole: string): string =>
  name.length <= length ? name : `${name.slice(0, length - 9)}_${checksum(whole)}`

/** FNV-1a, which needs no platform; it only has to tell a few names apart. */
const checksum = (text: string): string => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, "0")
}
