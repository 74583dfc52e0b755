/**
 * Services given to what runs again and again.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Returns what adds services to the context of whoever runs something, for
 * `Effect.updateContext`.
 *
 * **Details**
 *
 * Merging contexts copies both. Most runs come from one place, so that the last
 * merged context is kept and given again.
 *
 * @category combining
 * @since 0.1.0
 */
export const providing = <R>(
  services: Context.Context<R>
): (outer: Context.Context<never>) => Context.Context<R> => {
  let last: { readonly outer: Context.Context<never>; readonly merged: Context.Context<R> } | undefined
  return (outer) => {
    if (last?.outer !== outer) last = { outer, merged: Context.merge(outer, services) }
    return last.merged
  }
}
