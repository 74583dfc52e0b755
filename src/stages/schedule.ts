/**
 * The order in which calls of one message run, while more of them may still
 * come.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { inOrder } from "./inOrder.ts"

/**
 * Work in order: what is added starts as soon as those before it let it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Schedule<A> {
  /** Takes work, which may run beside others that may. Does not wait for it. */
  readonly add: (run: Effect.Effect<A>, overlaps: boolean) => Effect.Effect<void>
  /** Waits for everything that was added; what came of it is in the same order. */
  readonly ended: Effect.Effect<ReadonlyArray<A>>
}

/**
 * Makes a schedule: consecutive work that may overlap does, `concurrency` at
 * most; all other work runs alone. It ends with its scope.
 *
 * @category constructors
 * @since 0.1.0
 */
export const schedule = Effect.fnUntraced(function*<A>(
  concurrency: number
): Effect.fn.Return<Schedule<A>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const ordered = inOrder(concurrency)
  const all: Array<Fiber.Fiber<A>> = []
  return {
    add: (run, overlaps) =>
      Effect.map(Effect.forkIn(ordered(Effect.succeed(overlaps), run), scope), (fiber) => void all.push(fiber)),
    ended: Effect.suspend(() => Effect.forEach(all, (fiber) => Fiber.join(fiber)))
  }
})
