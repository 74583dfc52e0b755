/**
 * Whether settings let a server be used at all.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import type { McpPattern, McpPolicy } from "../../domain/Policy.ts"
import { matchAddress } from "./matchAddress.ts"

/**
 * Says why settings don't allow a server, or nothing when they do.
 *
 * **Details**
 *
 * One matching entry of `deniedMcpServers` is enough. Where `allowedMcpServers`
 * names command lines or addresses, a server that has one has to match one of
 * those: its name alone says nothing of what would be started.
 *
 * @category matching
 * @since 0.1.0
 */
export const whyForbidden = (
  name: string,
  config: unknown,
  policy: Pick<McpPolicy, "allowed" | "denied"> | undefined
): string | undefined => {
  const server = { name, command: commandOf(config), url: urlOf(config) }
  if (policy?.denied.some((pattern) => matches(pattern, server, "deny")) === true) {
    return "`deniedMcpServers` in settings names it"
  }
  const allowed = policy?.allowed
  if (allowed === undefined) return undefined
  const deciding = server.command !== undefined && allowed.some((pattern) => "serverCommand" in pattern)
    ? allowed.filter((pattern) => "serverCommand" in pattern)
    : server.url !== undefined && allowed.some((pattern) => "serverUrl" in pattern)
    ? allowed.filter((pattern) => "serverUrl" in pattern)
    : allowed.filter((pattern) => "serverName" in pattern)
  return deciding.some((pattern) => matches(pattern, server, "allow"))
    ? undefined
    : "`allowedMcpServers` in settings does not name it"
}

interface Server {
  readonly name: string
  readonly command: ReadonlyArray<string> | undefined
  readonly url: string | undefined
}

const matches = (pattern: McpPattern, { command, name, url }: Server, to: "allow" | "deny"): boolean => {
  if ("serverName" in pattern) return pattern.serverName === name
  if ("serverCommand" in pattern) {
    return command !== undefined && command.length === pattern.serverCommand.length &&
      command.every((word, index) => word === pattern.serverCommand[index])
  }
  return url !== undefined && matchAddress(pattern.serverUrl, url, to)
}

const commandOf = (config: unknown): ReadonlyArray<string> | undefined => {
  if (!Predicate.hasProperty(config, "command") || typeof config.command !== "string") return undefined
  const args = Predicate.hasProperty(config, "args") && Array.isArray(config.args) ? config.args : []
  return [config.command, ...args.map(String)]
}

const urlOf = (config: unknown): string | undefined =>
  Predicate.hasProperty(config, "url") && typeof config.url === "string" ? config.url : undefined
