/**
 * Calls a tool of a server that is connected to.
 *
 * @since 0.1.0
 */
import { type Progress, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type { Output, ToolContext } from "../domain/Tool.ts"
import { type ExecuteError, McpAuthRequired, McpCallFailed } from "../errors/ExecuteError.ts"
import { brokenText, isBroken } from "./answerBroken.ts"
import type { Connection } from "./connect.ts"
import { howToSignIn, wantsSignIn } from "./connectErrorOf.ts"
import { contentOf, textOf } from "./contentOf.ts"
import { whyNoAnswer } from "./whyNoAnswer.ts"

/**
 * What is called, and how patient to be.
 *
 * **Details**
 *
 * `idleMillis`: how long a server may say nothing at all, progress included.
 *
 * @category models
 * @since 0.1.0
 */
export interface ToolCall {
  readonly server: string
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  readonly idleMillis: number
}

/**
 * Calls a tool. Interruption tells the server to stop.
 *
 * **Details**
 *
 * Progress becomes progress of the call; of a flood the newest is kept. An answer
 * that says that it is an error fails with the server's words.
 *
 * @category calling
 * @since 0.1.0
 */
export const callTool = Effect.fnUntraced(function*(
  connection: Connection,
  { idleMillis, input, server, tool }: ToolCall,
  context: ToolContext
): Effect.fn.Return<Output, ExecuteError> {
  const told = yield* Queue.sliding<string, Cause.Done>(mostWaiting)
  const telling = yield* Effect.forkChild(
    Effect.ignore(
      Effect.forever(
        Effect.flatMap(Queue.take(told), (text) => context.progress({ channel: "message", text }))
      )
    )
  )
  const result = yield* Effect.tryPromise({
    try: (signal) =>
      connection.client.callTool({ name: tool, arguments: input }, {
        signal,
        timeout: idleMillis,
        resetTimeoutOnProgress: true,
        onprogress: (progress) => void Queue.offerUnsafe(told, progressText(progress))
      }),
    catch: (cause) => callErrorOf(server, connection, cause, idleMillis)
  })
  yield* Queue.end(told)
  yield* Fiber.join(telling)
  if (result.isError === true) {
    return yield* new McpCallFailed({ server, reason: textOf(result) || "it did not say why" })
  }
  return { value: result.structuredContent ?? result.content, content: contentOf(result) }
})

const mostWaiting = 64

const progressText = ({ message, progress, total }: Progress): string => {
  const count = total === undefined ? String(progress) : `${progress}/${total}`
  return `${message === undefined ? count : `${count} ${message}`}\n`
}

const callErrorOf = (server: string, connection: Connection, cause: unknown, idleMillis: number): ExecuteError => {
  if (wantsSignIn(cause)) return new McpAuthRequired({ server, how: howToSignIn(server) })
  const failed = (reason: string) => new McpCallFailed({ server, reason, cause })
  if (isBroken(cause)) return failed(brokenText(cause))
  if (cause instanceof ProtocolError) return failed(whyNoAnswer(cause))
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout) {
    return failed(`it said nothing for ${idleMillis} ms`)
  }
  const { reason, stderr } = connection.why()
  if (reason !== undefined) return failed(stderr === undefined ? reason : `${reason}; its program said: ${stderr}`)
  return failed(whyNoAnswer(cause))
}
