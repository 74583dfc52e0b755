/**
 * Holds a pattern of an address, as settings have it, against the address of a
 * server.
 *
 * @since 0.1.0
 */
import { matchPieces } from "../../permission/rule/pieces.ts"
import { allowsUrl } from "../hooks/allowsUrl.ts"

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
  if (to === "allow") return allowsUrl([pattern], address)
  const meant = meantBy(address)
  const texts = meant === undefined ? [address] : [address, meant, decoded(meant)]
  return [pattern, meantByPattern(pattern)].some((one) => texts.some((text) => matchPieces(one.split("*"), text)))
}

/** An address as a client reads it, without what is no part of where it leads. */
const meantBy = (address: string): string | undefined => {
  const url = URL.parse(address)
  const host = url?.host.replace(/\.(?=:\d+$|$)/, "")
  return url === null ? undefined : `${url.protocol}//${host}${url.pathname}${url.search}`
}

const meantByPattern = (pattern: string): string =>
  pattern.replace(
    /^[^/]*:\/\/[^/]*/,
    (origin) => origin.toLowerCase().replace(/^(?:(https:.*):443|(http:.*):80)$/, "$1$2")
  )

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
