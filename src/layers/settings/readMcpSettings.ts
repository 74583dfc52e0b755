/**
 * What settings say of MCP servers.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { getNodeValue } from "jsonc-parser"
import { McpPattern } from "../../domain/Policy.ts"
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import type { McpText } from "./Settings.ts"

/**
 * The settings that are about MCP servers.
 *
 * @category constants
 * @since 0.1.0
 */
export const mcpKeys = [
  "mcpServers",
  "enableAllProjectMcpServers",
  "enabledMcpjsonServers",
  "disabledMcpjsonServers",
  "allowedMcpServers",
  "deniedMcpServers"
] as const

/**
 * Reads the members of a settings text that are about MCP servers.
 *
 * **Details**
 *
 * What can't be read enables and allows nothing. Where it may have denied
 * something it hides that, as a broken deny rule does.
 *
 * @category reading
 * @since 0.1.0
 */
export const readMcpSettings = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>,
  managedOnly: boolean | undefined
): McpText | undefined => {
  const find = (key: (typeof mcpKeys)[number]): Node | undefined =>
    members.findLast((member) => member.key === key && member.value.type !== "null")?.value
  if (managedOnly === undefined && mcpKeys.every((key) => find(key) === undefined)) return undefined
  const allowed = find("allowedMcpServers")
  return {
    enableAll: readSwitch(reading, find("enableAllProjectMcpServers")),
    enabled: readNames(reading, find("enabledMcpjsonServers"), "enabledMcpjsonServers"),
    disabled: readNames(reading, find("disabledMcpjsonServers"), "disabledMcpjsonServers"),
    allowed: allowed === undefined ? undefined : readPatterns(reading, allowed, "allowedMcpServers"),
    denied: readPatterns(reading, find("deniedMcpServers"), "deniedMcpServers"),
    managedOnly,
    servers: readServers(reading, find("mcpServers"))
  }
}

const readSwitch = (reading: Reading.Reading, node: Node | undefined): boolean | undefined => {
  if (node === undefined) return undefined
  const value = Reading.booleanOf(node)
  if (value === undefined) {
    Reading.note(reading, "warning", node, "`enableAllProjectMcpServers` is either `true` or `false`, and is left out")
  }
  return value
}

const readNames = (reading: Reading.Reading, node: Node | undefined, key: string): ReadonlyArray<string> =>
  itemsOf(node).flatMap((item) => {
    const name = Reading.textOf(item)
    if (name !== undefined) return [name]
    const message = `\`${key}\` lists names of servers, not ${Reading.kindOf(item)}`
    if (key.startsWith("disabled")) Reading.hide(reading, item, message)
    else Reading.note(reading, "warning", item, `${message}, which is left out`)
    return []
  })

const decodePattern = Schema.decodeUnknownResult(McpPattern)

const readPatterns = (reading: Reading.Reading, node: Node | undefined, key: string): ReadonlyArray<McpPattern> =>
  itemsOf(node).flatMap((item) => {
    const value: unknown = getNodeValue(item)
    const pattern = decodePattern(value)
    if (Result.isSuccess(pattern)) return [pattern.success]
    const message = `an entry of \`${key}\` has one of \`serverName\`, \`serverCommand\` and \`serverUrl\``
    if (key.startsWith("denied")) Reading.hide(reading, item, message)
    else Reading.note(reading, "error", item, `${message}; this one allows nothing`)
    return []
  })

const readServers = (reading: Reading.Reading, node: Node | undefined): McpText["servers"] => {
  if (node === undefined) return []
  if (node.type !== "object") {
    Reading.note(reading, "error", node, `\`mcpServers\` is an object, not ${Reading.kindOf(node)}, and is left out`)
    return []
  }
  return Reading.members(reading, node, "mcpServers.").map(({ key, name, value }) => {
    const config: unknown = getNodeValue(value)
    return { name: key, config, origin: reading.at(name) }
  })
}

const itemsOf = (node: Node | undefined): ReadonlyArray<Node> => {
  if (node === undefined) return []
  return node.type === "array" ? node.children ?? [] : [node]
}
