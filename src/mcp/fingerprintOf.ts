/**
 * Tells whether a tool is still the one that was approved.
 *
 * @since 0.1.0
 */
import type { Tool } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import { createHash } from "node:crypto"
import type { McpEntry } from "../domain/McpEntry.ts"

/**
 * A checksum of everything that a server says of a tool: what it does, what it
 * takes, what it claims of itself.
 *
 * @category hashing
 * @since 0.1.0
 */
export const fingerprintOf = ({ _meta, annotations, description, inputSchema, title }: Tool): string =>
  checksum({ _meta, annotations, description, inputSchema, title })

/**
 * A key for a tool of a server: another program or address under the same name
 * has another one.
 *
 * @category hashing
 * @since 0.1.0
 */
export const approvalKey = ({ config, name }: Pick<McpEntry, "config" | "name">, tool: string): string => {
  const { args, command, url } = Predicate.isObject(config) ? config : {}
  return `${checksum({ args, command, url, name }).slice(0, 16)} ${tool}`
}

const checksum = (value: unknown): string => createHash("sha256").update(JSON.stringify(sorted(value))).digest("hex")

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  return Predicate.isObject(value)
    ? Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => [key, sorted(item)])
    : value
}
