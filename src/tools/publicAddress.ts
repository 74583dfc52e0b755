/**
 * Which addresses of the network are out in the open, and not of this machine or
 * the net that it stands in.
 *
 * @since 0.1.0
 */
import { BlockList, isIP } from "node:net"

/**
 * Whether an IP address may be reached by anybody. What is no IP address is not.
 *
 * **Example** (Public and private)
 *
 * ```ts
 * import { isPublic } from "toolgate/tools/publicAddress"
 *
 * isPublic("93.184.215.14") // => true
 * isPublic("169.254.169.254") // => false
 * isPublic("::ffff:127.0.0.1") // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPublic = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !closed.check(address)
  // Addresses of old nets within new ones are judged by what they hold, so whoever needs none of them gets none.
  return family === 6 && open.check(address, "ipv6") && !closed.check(address, "ipv6")
}

const closed = new BlockList()
for (
  const [net, prefix] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4]
  ] as const
) {
  closed.addSubnet(net, prefix)
}
for (
  const [net, prefix] of [["2001::", 23], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20]] as const
) {
  closed.addSubnet(net, prefix, "ipv6")
}

// Only these are handed out for the open network.
const open = new BlockList()
open.addSubnet("2000::", 3, "ipv6")
