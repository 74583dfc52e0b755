/**
 * Keeps one message of a server within a limit, however much it sends.
 *
 * @since 0.1.0
 */
import type { FetchLike } from "@modelcontextprotocol/client"

/**
 * A `fetch` whose answers break off at a message that is too long, which
 * `exceeded` hears of. A stream of events may go on for ever: each of its events
 * is a message of its own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const boundedFetch = (
  maxMessageBytes: number,
  exceeded: (reason: string) => void
): FetchLike =>
async (url, init) => {
  const response = await fetch(url, init)
  if (response.body === null) return response
  const isEvents = response.headers.get("content-type")?.includes("text/event-stream") === true
  let size = 0
  let lastByte = 0
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        size += chunk.length
        if (isEvents) {
          const end = lastBlankLine(lastByte, chunk)
          if (end !== undefined) size = chunk.length - end
          lastByte = chunk[chunk.length - 1] ?? lastByte
        }
        if (size > maxMessageBytes) {
          const reason = `it sent a message of more than ${maxMessageBytes} bytes`
          exceeded(reason)
          controller.error(new Error(reason))
        } else controller.enqueue(chunk)
      }
    })
  )
  return new Response(bounded, response)
}

const newline = 10
const carriageReturn = 13

/** Where the last event that ends in a chunk ends: lines end with a line feed, with or without a carriage return. */
const lastBlankLine = (before: number, chunk: Uint8Array): number | undefined => {
  for (let at = chunk.length - 1; at >= 0; at--) {
    if (chunk[at] !== newline) continue
    const back = chunk[at - 1] === carriageReturn ? at - 2 : at - 1
    if ((back < 0 ? before : chunk[back]) === newline) return at + 1
  }
  return undefined
}
