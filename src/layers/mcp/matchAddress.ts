/**
 * Holds a pattern of an address, as settings have it, against the address of a
 * server.
 *
 * @since 0.1.0
 */

/**
 * Says whether a pattern allows an address, or denies it.
 *
 * **Details**
 *
 * Scheme, host and port are compared as a client would understand them, however
 * they are written. To allow, a `*` in one of them stays in it:
 * `https://*.a.com/*` allows no other host whose path has `.a.com/` in it. To
 * deny, a `*` stands for any text at all, and the address as it is written counts
 * as well.
 *
 * **Example** (Another host)
 *
 * ```ts
 * import { matchAddress } from "toolgate/layers/mcp/matchAddress"
 *
 * matchAddress("https://*.a.com/*", "https://tools.a.com/mcp", "allow") // => true
 * matchAddress("https://*.a.com/*", "https://b.com/x.a.com/mcp", "allow") // => false
 * matchAddress("https://b.com/*", "HTTPS://b.com:443", "deny") // => true
 * ```
 *
 * @category matching
 * @since 0.1.0
 */
export const matchAddress = (pattern: string, address: string, to: "allow" | "deny"): boolean => {
  const meant = meantBy(address)
  const known = meant === undefined ? [] : to === "deny" ? [meant, decoded(meant)] : [meant]
  const strict = strictly(pattern)
  if (strict !== undefined && known.some((text) => strict.test(text))) return true
  return to === "deny" && [address, ...known].some((text) => whole(pieces(pattern, ".*")).test(text))
}

/** An address as a client reads it, without what is no part of where it leads. */
const meantBy = (address: string): string | undefined => {
  const url = URL.parse(address)
  const host = url?.host.replace(/\.(?=:\d+$|$)/, "")
  return url === null ? undefined : `${url.protocol}//${host}${url.pathname}${url.search}`
}

const strictly = (pattern: string): RegExp | undefined => {
  // One that begins with a star leaves the scheme open.
  const full = /^\*(?!:\/\/)/.test(pattern) ? `*://${pattern}` : pattern
  const [, written, host, rest = ""] = /^([a-z*][a-z0-9+.*-]*):\/\/([^/?#]*)(.*)$/is.exec(full) ?? []
  if (written === undefined || host === undefined) return undefined
  const scheme = written.toLowerCase()
  const standard = standardPorts.get(scheme) ?? ""
  const authority = host.toLowerCase()
  const name = authority.endsWith(standard) ? authority.slice(0, authority.length - standard.length) : authority
  const below = rest === "" ? (name.endsWith("*") ? "(?:[/?].*)?" : "/?") : pieces(rest, ".*")
  return whole(`${pieces(scheme, "[^:]*")}://${pieces(name, "[^/?]*")}${below}`)
}

const standardPorts: ReadonlyMap<string, string> = new Map([["http", ":80"], ["https", ":443"]])

const pieces = (pattern: string, star: string): string =>
  pattern.split("*").map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(star)

const whole = (expression: string): RegExp => new RegExp(`^${expression}$`, "s")

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
