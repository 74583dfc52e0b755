/**
 * What may be fetched from the web, and how much of it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import { lookup } from "node:dns/promises"

/**
 * The limits of WebFetch.
 *
 * **Details**
 *
 * - `privateHosts`: hosts that may be reached although they are of this machine
 *   or its own net, as they stand in an address, with the port where it names one.
 * - `resolve`: the IP addresses of a name.
 * - `redirects`: how many are followed, on the same host alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limits {
  readonly timeoutMillis: number
  readonly bytes: number
  readonly redirects: number
  readonly privateHosts: ReadonlyArray<string>
  readonly resolve: (name: string) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>
}

/**
 * Reference for the limits in force.
 *
 * @category references
 * @since 0.1.0
 */
export const WebLimits = Context.Reference<Limits>("toolgate/tools/WebLimits", {
  defaultValue: () => ({
    timeoutMillis: 30_000,
    bytes: 5 * 1024 * 1024,
    redirects: 5,
    privateHosts: [],
    resolve: (name) => lookup(name, { all: true })
  })
})
