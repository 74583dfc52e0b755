/**
 * Hooks that nobody waits for, and what they had to say once they were done.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import type { HookEvent } from "../../domain/Hook.ts"
import * as HookAnswer from "./HookAnswer.ts"
import { codeOf, type HookResult, mishap, nameOf, stderrOf } from "./HookResult.ts"

/**
 * What hooks said since the last call of a session: to the model, and to a person.
 *
 * @category models
 * @since 0.1.0
 */
export interface Letter {
  readonly context: ReadonlyArray<string>
  readonly messages: ReadonlyArray<string>
}

/**
 * Runs hooks in the background.
 *
 * @category models
 * @since 0.1.0
 */
export interface Background {
  readonly start: (event: HookEvent, session: string, run: Effect.Effect<HookResult>) => Effect.Effect<void>
  /** Whether something was said for a session. */
  readonly waits: (session: string) => boolean
  /** What was said for a session, once. */
  readonly collect: (session: string) => Letter | undefined
}

/**
 * Makes a place for hooks in the background.
 *
 * **Details**
 *
 * They end with the scope: it waits for them some seconds, and not at all when it
 * is interrupted. What is left is ended as at a timeout. They decide nothing;
 * what they say is kept for the next call of the session, within bounds.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<Background, never, Scope.Scope> = Effect.gen(function*() {
  const running = yield* FiberSet.make<void>()
  yield* Effect.addFinalizer((exit) =>
    Exit.isFailure(exit) ? Effect.void : Effect.ignore(Effect.timeoutOption(FiberSet.awaitEmpty(running), "5 seconds"))
  )
  const letters = new Map<string, Letter>()
  const keep = (session: string, letter: Letter): void => {
    if (letter.context.length + letter.messages.length === 0) return
    if (letters.size > 100) letters.clear()
    const before = letters.get(session)
    letters.set(session, {
      context: [...before?.context ?? [], ...letter.context].slice(-20),
      messages: [...before?.messages ?? [], ...letter.messages].slice(-20)
    })
  }
  return {
    start: (event, session, run) =>
      Effect.asVoid(FiberSet.run(running, Effect.map(run, (result) => keep(session, letterOf(event, result))))),
    waits: (session) => letters.has(session),
    collect: (session) => {
      const letter = letters.get(session)
      if (letter !== undefined) letters.delete(session)
      return letter
    }
  }
})

const letterOf = (event: HookEvent, result: HookResult): Letter => {
  const answer = "stdout" in result.end ? HookAnswer.read(event, result.end.stdout) : undefined
  const fields = answer?._tag === "Answer" ? answer.fields : {}
  const own = answer?._tag === "Answer" ? answer.own : {}
  const fault = mishap(result) ?? (answer?._tag === "Unreadable" ? answer.problem : undefined)
  return {
    context: texts([HookAnswer.textOf(own["additionalContext"]), codeOf(result) === 2 ? stderrOf(result) : undefined]),
    messages: texts([
      HookAnswer.textOf(fields["systemMessage"]),
      fault === undefined ? undefined : `the hook \`${nameOf(result.entry)}\` in the background ${fault}`
    ])
  }
}

const texts = (items: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  items.filter((item) => item !== undefined)
