/**
 * Whether a list of addresses allows one.
 *
 * @since 0.1.0
 */

/**
 * Says whether any pattern allows an address. A `*` stands for any characters, in
 * the name of a host for all but the end of that name.
 *
 * **Example** (Allowing a host and its paths)
 *
 * ```ts
 * import { allowsUrl } from "toolgate/layers/hooks/allowsUrl"
 *
 * allowsUrl(["https://*.example.com/*"], "https://hooks.example.com/gate") // => true
 * allowsUrl(["https://*.example.com/*"], "https://evil.test/.example.com/") // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const allowsUrl = (patterns: ReadonlyArray<string>, address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  const place = `${url.pathname}${url.search}`
  return patterns.some((pattern) => {
    const [, origin = "", rest = ""] = /^([^/]*:\/\/[^/?#]*)(.*)$/.exec(pattern) ?? []
    return origin !== "" && matches(origin.toLowerCase(), url.origin) && matches(rest === "" ? "/" : rest, place)
  })
}

/** Goes through the pieces between the stars once, so that no pattern takes long. */
const matches = (pattern: string, text: string): boolean => {
  const [first = "", ...others] = pattern.split("*")
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
