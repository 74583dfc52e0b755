/**
 * Requests to authorization servers.
 *
 * @since 0.1.0
 */
import type { FetchLike } from "@modelcontextprotocol/client"

/**
 * A `fetch` for authorization servers: nothing of a server's configured headers
 * goes there, and nobody waits for ever.
 *
 * @category requests
 * @since 0.1.0
 */
export const authFetch: FetchLike = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
