/**
 * Holds a host pattern against an address.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import { matchPieces } from "./pieces.ts"

/**
 * Says whether the host of an address matches a pattern, or returns undefined
 * when the address has none that can be read.
 *
 * **Details**
 *
 * Hosts are compared as hosts: case, a dot at the end, port, user and the
 * spelling of international names count for nothing. `*.` in front is any
 * number of labels but not none; any other `*` stays within one label.
 *
 * **Example** (Comparing hosts)
 *
 * ```ts
 * import { matchDomain } from "toolgate/permission/rule/matchDomain"
 *
 * matchDomain("*.example.com", "https://docs.Example.com.:8443/x") // => true
 * matchDomain("example.com", "https://example.com@evil.test/") // => false
 * ```
 *
 * @category matching
 * @since 0.1.0
 */
export const matchDomain = (pattern: string, url: string): boolean | undefined => {
  const host = hostOf(url)
  if (host === undefined) return undefined
  return matchHost(hostPattern(pattern), host)
}

/**
 * Returns the host of an address in the one form that hosts are compared in.
 *
 * @category getters
 * @since 0.1.0
 */
export const hostOf = (url: string): string | undefined => {
  const written = URL.parse(url)
  if (written !== null && isWeb(written)) return hostName(written)
  const bare = url.includes("://") ? null : URL.parse(`https://${url}`)
  return bare === null ? undefined : hostName(bare)
}

const isWeb = ({ protocol }: URL): boolean => /^(?:https?|wss?|ftp):$/.test(protocol)

const hostName = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/\.$/, "")
  return host.length === 0 ? undefined : host
}

interface HostPattern {
  readonly anyDepth: boolean
  readonly labels: ReadonlyArray<Wildcard>
}

const compiled = new Map<string, HostPattern>()

const hostPattern = (pattern: string): HostPattern => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  if (compiled.size >= 10_000) compiled.clear()
  const made = compile(pattern)
  compiled.set(pattern, made)
  return made
}

const compile = (pattern: string): HostPattern => {
  const text = pattern.trim().replace(/\.$/, "")
  const anyDepth = text.startsWith("*.")
  const host = anyDepth ? text.slice(2) : text
  if (!host.includes("*")) {
    return { anyDepth, labels: (hostOf(host) ?? host.toLowerCase()).split(".").map((label) => [label]) }
  }
  return { anyDepth, labels: host.split(".").map(labelPieces) }
}

// A label with a gap can't be brought into the one form of host names; it is
// compared as written.
const labelPieces = (label: string): Wildcard =>
  label.includes("*") ? label.toLowerCase().split(/\*+/) : [hostOf(label) ?? label.toLowerCase()]

const matchHost = ({ anyDepth, labels }: HostPattern, host: string): boolean => {
  const named = host.split(".")
  const extra = named.length - labels.length
  if (anyDepth ? extra < 1 : extra !== 0) return false
  return labels.every((pieces, index) => matchPieces(pieces, named[index + extra] ?? ""))
}
