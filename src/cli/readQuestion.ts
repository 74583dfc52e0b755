/**
 * Reads what another program asks.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { decodeInput, issueText } from "../domain/decodeInput.ts"
import { Misused } from "./Ended.ts"

/**
 * Reads a question by its schema. `what` names it in the message that says
 * everything that is wrong with it.
 *
 * @category reading
 * @since 0.1.0
 */
export const readQuestion = <A>(
  schema: Schema.Decoder<A>,
  given: unknown,
  what: string
): Effect.Effect<A, Misused> => {
  const read = decodeInput(schema, given)
  return Result.isSuccess(read)
    ? Effect.succeed(read.success.value)
    : Effect.fail(new Misused({ problem: `${what} can't be read: ${read.failure.map(issueText).join("; ")}` }))
}
