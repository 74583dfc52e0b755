/**
 * Hooks that run once in a session.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { HookEntry } from "../../domain/Hook.ts"
import type { SessionStore } from "../../services/SessionStore.ts"
import { type HookResult, mishap } from "./HookResult.ts"
import { keyOf } from "./selectHooks.ts"

/**
 * Knows which hooks have run in a session.
 *
 * @category models
 * @since 0.1.0
 */
export interface Once {
  /** The hooks that are still to run. */
  readonly left: (session: string, entries: ReadonlyArray<HookEntry>) => Effect.Effect<ReadonlyArray<HookEntry>>
  /** Remembers those that ran. */
  readonly ran: (session: string, results: ReadonlyArray<HookResult>) => Effect.Effect<void>
}

/**
 * Makes the memory of what ran once; with a store, other processes share it.
 *
 * **Details**
 *
 * A hook that could not do its work has not run, one that runs at the same time
 * for another call has not run yet, and a store that can't be read knows
 * nothing: the hook runs again rather than not at all.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (store: SessionStore["Service"] | undefined): Once => {
  const known = new Map<string, ReadonlySet<string>>()
  const remember = (session: string, names: Iterable<string>): void => {
    if (known.size > 1_000) known.clear()
    known.set(session, new Set([...known.get(session) ?? [], ...names]))
  }
  return {
    left: Effect.fnUntraced(function*(session, entries) {
      if (!entries.some(({ hook }) => hook.once === true)) return entries
      if (store !== undefined) {
        const state = yield* Effect.option(store.get(session))
        if (state._tag === "Some") remember(session, state.value.hooks ?? [])
      }
      const before = known.get(session)
      return entries.filter((entry) => entry.hook.once !== true || before?.has(nameOf(entry)) !== true)
    }),
    ran: Effect.fnUntraced(function*(session, results) {
      const names = results.flatMap((result) =>
        result.entry.hook.once === true && mishap(result) === undefined ? [nameOf(result.entry)] : []
      )
      if (names.length === 0) return
      remember(session, names)
      if (store === undefined) return
      yield* Effect.ignore(store.update(session, (state) => ({
        ...state,
        hooks: [...new Set([...state.hooks ?? [], ...names])]
      })))
    })
  }
}

const nameOf = (entry: HookEntry): string => createHash("sha256").update(keyOf(entry)).digest("hex").slice(0, 16)
