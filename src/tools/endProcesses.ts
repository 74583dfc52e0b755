/**
 * Ends everything that a command started.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ProcessTable from "./ProcessTable.ts"

/**
 * Asks every process of a command to end, waits, and ends by force what is left.
 * Succeeds when none is left, or after a few seconds with those that nothing can
 * end.
 *
 * @category running
 * @since 0.1.0
 */
export const endProcesses = Effect.fnUntraced(function*(
  family: ProcessTable.Family,
  graceMillis: number
): Effect.fn.Return<void> {
  const watch = ProcessTable.isKnown() ? watchMembers(family) : watchGroup(family.group)
  watch.signal("SIGTERM")
  for (let waited = 0; waited < graceMillis; waited += pauseMillis) {
    if (watch.allGone()) return
    yield* Effect.sleep(pauseMillis)
  }
  for (let tries = 0; tries < forcedTries; tries++) {
    watch.signal("SIGKILL")
    if (watch.allGone()) return
    yield* Effect.sleep(pauseMillis)
  }
})

const pauseMillis = 20
const forcedTries = 150

interface Watch {
  readonly signal: (signal: NodeJS.Signals) => void
  readonly allGone: () => boolean
}

/** Looks at those that it knows first, and for new ones only when these are gone. */
const watchMembers = (family: ProcessTable.Family): Watch => {
  let known = ProcessTable.members(family)
  return {
    signal: (signal) => {
      known = ProcessTable.members(family)
      for (const { pid } of known) send(pid, signal)
    },
    allGone: () => {
      known = known.filter(ProcessTable.isRunning)
      if (known.length === 0) known = ProcessTable.members(family)
      return known.length === 0
    }
  }
}

const watchGroup = (group: number): Watch => ({
  signal: (signal) => void send(-group, signal),
  allGone: () => !send(-group, 0)
})

const send = (pid: number, signal: NodeJS.Signals | 0): boolean =>
  Result.isSuccess(Result.try(() => process.kill(pid, signal)))
