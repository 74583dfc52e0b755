/**
 * Tells whether a tool is still the one that was approved.
 *
 * @since 0.1.0
 */
import type { Tool } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import type { McpEntry } from "../domain/McpEntry.ts"
import { checksum } from "../layers/files/checksum.ts"

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
