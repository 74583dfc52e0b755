/**
 * Which addresses settings may be fetched from.
 *
 * @since 0.1.0
 */

/**
 * Says why settings can't be fetched from an address, or returns undefined when
 * they can: over `https`, or from this very machine.
 *
 * **Example** (Refusing an address)
 *
 * ```ts
 * import { whyNoAddress } from "toolgate/layers/settings/whyNoAddress"
 *
 * whyNoAddress("https://example.com/settings.json") // => undefined
 * whyNoAddress("http://example.com/settings.json") // => "is no `https` address"
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const whyNoAddress = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (url === null) return "is no address"
  if (url.username !== "" || url.password !== "") return "holds a name or password, which don't belong into an address"
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return undefined
  return "is no `https` address"
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)
