/**
 * The servers that a file names.
 *
 * @since 0.1.0
 */
import { findNodeAtLocation, getNodeValue } from "jsonc-parser"
import type { Diagnostic, Origin } from "../../domain/Rule.ts"
import { type Document, type Node, parseDocument } from "../settings/parseDocument.ts"

/**
 * A server as it is written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Written {
  readonly name: string
  readonly config: unknown
  readonly origin: Origin
}

/**
 * What a file says, and what is wrong with it as a whole.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServersText {
  readonly servers: ReadonlyArray<Written>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/**
 * Reads `{ "mcpServers": { … } }`, or the inside of it alone, as files that are
 * about nothing else have it.
 *
 * @category reading
 * @since 0.1.0
 */
export const readServers = (text: string, origin: Origin): ServersText => {
  const document = parseDocument(text)
  const root = rootOf(document, origin)
  if ("diagnostics" in root) return root
  const inside = findNodeAtLocation(root.node, ["mcpServers"])
  if (inside !== undefined) return serversIn(inside, "mcpServers", root.at)
  const members = root.node.children ?? []
  if (members.length > 0 && members.every(({ children: [, value] = [] }) => looksLikeServer(value))) {
    return serversIn(root.node, "the file", root.at)
  }
  const message = "it has no `mcpServers`: write `{ \"mcpServers\": { \"name\": { \"command\": \"…\" } } }`"
  return { servers: [], diagnostics: [{ severity: "error", message, origin: root.at(root.node) }] }
}

/**
 * Reads the state that Claude Code keeps in `.claude.json`: the servers for all
 * projects and those for one, and which of a project's own are switched on.
 *
 * @category reading
 * @since 0.1.0
 */
export const readUserState = (
  text: string,
  file: string,
  project: string
): { readonly user: ServersText; readonly local: ServersText; readonly enabled: Names; readonly disabled: Names } => {
  const root = rootOf(parseDocument(text), { source: "userSettings", file })
  if ("diagnostics" in root) return { user: root, local: none, enabled: [], disabled: [] }
  const at = (...path: ReadonlyArray<string>) => findNodeAtLocation(root.node, [...path])
  const servers = (source: Origin["source"], ...path: ReadonlyArray<string>): ServersText => {
    const node = at(...path)
    return node === undefined
      ? none
      : serversIn(node, path.at(-1) ?? "", (found) => ({ ...root.at(found), source }))
  }
  const names = (key: string): Names => {
    const node = at("projects", project, key)
    const value: unknown = node === undefined ? undefined : getNodeValue(node)
    return Array.isArray(value) ? value.filter((name) => typeof name === "string") : []
  }
  return {
    user: servers("userSettings", "mcpServers"),
    local: servers("localSettings", "projects", project, "mcpServers"),
    enabled: names("enabledMcpjsonServers"),
    disabled: names("disabledMcpjsonServers")
  }
}

type Names = ReadonlyArray<string>

const none: ServersText = { servers: [], diagnostics: [] }

const rootOf = (
  document: Document,
  origin: Origin
): ServersText | { readonly node: Node; readonly at: (node: Node) => Origin } => {
  const broken = (reason: string, place: Origin): ServersText => ({
    servers: [],
    diagnostics: [{ severity: "error", message: `it ${reason}`, origin: place }]
  })
  switch (document._tag) {
    case "Broken":
      return broken(document.reason, { ...origin, ...document.position })
    case "Empty":
      return none
    case "Tree":
      return document.root.type === "object"
        ? { node: document.root, at: (node) => ({ ...origin, ...document.position(node.offset) }) }
        : broken("holds no object", origin)
  }
}

const serversIn = (node: Node, where: string, at: (node: Node) => Origin): ServersText => {
  if (node.type !== "object") {
    const message = `\`${where}\` is an object with a member for each server, and is left out`
    return { servers: [], diagnostics: [{ severity: "error", message, origin: at(node) }] }
  }
  const servers = new Map<string, Written>()
  for (const { children: [name, value] = [] } of node.children ?? []) {
    if (name === undefined || value === undefined) continue
    const key = String(name.value)
    const config: unknown = getNodeValue(value)
    servers.set(key, { name: key, config, origin: at(name) })
  }
  return { servers: [...servers.values()], diagnostics: [] }
}

const looksLikeServer = (node: Node | undefined): boolean =>
  node?.type === "object" &&
  ["command", "url"].some((key) => findNodeAtLocation(node, [key])?.type === "string")
