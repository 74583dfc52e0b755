/**
 * Keeps tokens out of whatever is made of a server's answer: a server may repeat
 * the one that it was sent, and a result or an error goes to a language model.
 *
 * @since 0.1.0
 */

/**
 * The same answer with `[token]` in place of each of the tokens. Whatever can't
 * be the beginning of one is handed on at once.
 *
 * @category transformations
 * @since 0.1.0
 */
export const withoutTokens = (response: Response, tokens: ReadonlySet<string>): Response => {
  if (response.body === null || tokens.size === 0) return response
  // Bytes as characters of their own, so that nothing but a token changes.
  let held = ""
  const hand = (controller: TransformStreamDefaultController<Uint8Array>, text: string) => {
    if (text !== "") controller.enqueue(Buffer.from(text, "latin1"))
  }
  const clean = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        let text = held + Buffer.from(chunk).toString("latin1")
        for (const token of tokens) text = text.replaceAll(token, "[token]")
        const at = beginning(text, tokens)
        held = text.slice(at)
        hand(controller, text.slice(0, at))
      },
      flush: (controller) => hand(controller, held)
    })
  )
  return new Response(clean, response)
}

/** Where the longest end of a text lies that a token could begin with. */
const beginning = (text: string, tokens: ReadonlySet<string>): number => {
  let first = text.length
  for (const token of tokens) {
    for (let at = Math.max(0, text.length - token.length + 1); at < first; at++) {
      if (token.startsWith(text.slice(at))) first = at
    }
  }
  return first
}
