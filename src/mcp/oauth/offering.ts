/**
 * Offers a sign-in to the person behind a call that needs one.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import type { ToolContext } from "../../domain/Tool.ts"
import { McpAuthRequired } from "../../errors/ExecuteError.ts"
import type { Approver } from "../../services/Approver.ts"
import { howToSignIn } from "../connectErrorOf.ts"
import type { Authorization } from "./Authorization.ts"

/**
 * Signs in for a call of a tool that failed for want of it, or fails like that.
 *
 * @category models
 * @since 0.1.0
 */
export type Offer = (
  error: McpAuthRequired,
  tool: string,
  context: ToolContext
) => Effect.Effect<void, McpAuthRequired>

/**
 * Makes the way to offer a server's sign-in. The approver asks, one question for
 * all calls that need it at the same time.
 *
 * @category constructors
 * @since 0.1.0
 */
export const offering = (
  server: string,
  authorization: Authorization | undefined,
  approver: Approver["Service"]
): Offer => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  const { elicit } = approver
  let last: Exit.Exit<void, McpAuthRequired> | undefined
  return (error, tool, context) =>
    Effect.suspend(() => {
      if (authorization === undefined || elicit === undefined) return Effect.fail(error)
      const before = last
      const signIn = authorization.signIn((url) =>
        Effect.map(
          elicit({
            id: context.id,
            server,
            tool,
            message: `Sign in, so that the call of ${tool} can go on.`,
            asks: { _tag: "Address", url },
            context: context.call
          }),
          (answer) => answer._tag === "Given"
        )
      ).pipe(
        Effect.mapError((error) => {
          const reason = error._tag === "SignInFailed" ? error.reason : error.message
          return new McpAuthRequired({ server, how: `${reason}; ${howToSignIn(server)}` })
        }),
        Effect.onExit((exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit) || !Cause.hasInterruptsOnly(exit.cause)) last = exit
          })
        )
      )
      // Whoever waited while another call asked has the same answer.
      return oneAtATime.withPermit(Effect.suspend(() => last === undefined || last === before ? signIn : last))
    })
}
