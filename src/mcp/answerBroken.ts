/**
 * Ends the wait for an answer whose connection is gone.
 *
 * @since 0.1.0
 */
import { isJSONRPCRequest, ProtocolError, type Transport } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import { codeOf } from "./connectErrorOf.ts"

/**
 * Has a request fail whose stream of events broke off before its answer, and
 * could not be taken up again. The client would wait for its time limit.
 *
 * @category constructors
 * @since 0.1.0
 */
export const answerBroken = (transport: Transport): void => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if (!isJSONRPCRequest(message)) return send(message, options)
    const { id } = message
    const error = { code: -32_000, message: broken, data: mark }
    // A stream ends after its answer too, whose second one nobody waits for.
    const onRequestStreamEnd = () => transport.onmessage?.({ jsonrpc: "2.0", id, error })
    return send(message, { onRequestStreamEnd, ...options })
  }
}

/**
 * Whether a request failed since its connection broke, and not by an answer.
 *
 * @category guards
 * @since 0.1.0
 */
export const isBroken = (cause: unknown): boolean =>
  cause instanceof ProtocolError
    ? cause.data === mark
    : cause instanceof TypeError && Predicate.hasProperty(cause.cause, "code")

/**
 * Says what became of the connection of such a request.
 *
 * @category formatting
 * @since 0.1.0
 */
export const brokenText = (cause: unknown): string => {
  const code = codeOf(cause)
  return code === undefined || code === "ECONNRESET" || code === "EPIPE"
    ? broken
    : `nothing answers at its address (${code})`
}

/**
 * What is said of a connection that broke.
 *
 * @category constants
 * @since 0.1.0
 */
export const broken = "the connection broke off before it answered"

/** Only the same object is it: no server can send it. */
const mark = {}
