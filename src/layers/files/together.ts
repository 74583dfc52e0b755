/**
 * Changes that wait for each other are made together: one of those who wait does
 * it for all.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"

/**
 * Changes what has a name by way of `write`, and gives what this change came to.
 * `write` hands the value as it is to `changed`, and keeps what that gives.
 *
 * **Details**
 *
 * Changes are made in the order in which they were asked for. Whoever is
 * interrupted before `changed` was called has changed nothing. When writing fails
 * after that, it has failed for everybody whose change was in it.
 *
 * @category models
 * @since 0.1.0
 */
export type Together<A, E> = <R>(
  name: string,
  change: (value: A) => A,
  write: (changed: (before: A) => A) => Effect.Effect<void, E, R>
) => Effect.Effect<A, E, R>

/**
 * Makes a place where changes wait for each other.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeTogether = <A, E>(): Together<A, E> => {
  const places = new Map<string, Place<A, E>>()
  return (name, change, write) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const place = places.get(name) ?? { semaphore: Semaphore.makeUnsafe(1), waiting: [], users: 0 }
        const mine: Waiting<A, E> = { change, came: undefined }
        place.users++
        place.waiting.push(mine)
        places.set(name, place)
        return { place, mine }
      }),
      ({ mine, place }) => place.semaphore.withPermit(Effect.suspend(() => mine.came ?? lead(place, mine, write))),
      ({ mine, place }) =>
        Effect.sync(() => {
          const at = place.waiting.indexOf(mine)
          if (at >= 0) place.waiting.splice(at, 1)
          place.users--
          if (place.users === 0) places.delete(name)
        })
    )
}

interface Place<A, E> {
  readonly semaphore: Semaphore.Semaphore
  readonly waiting: Array<Waiting<A, E>>
  users: number
}

interface Waiting<A, E> {
  readonly change: (value: A) => A
  came: Exit.Exit<A, E> | undefined
}

const lead = <A, E, R>(
  place: Place<A, E>,
  mine: Waiting<A, E>,
  write: (changed: (before: A) => A) => Effect.Effect<void, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const taken: Array<{ readonly one: Waiting<A, E>; readonly exit: Exit.Exit<A> }> = []
    const changed = (before: A): A => {
      let value = before
      for (const one of place.waiting.splice(0)) {
        const exit = changeWith(one.change, value)
        if (Exit.isSuccess(exit)) value = exit.value
        taken.push({ one, exit })
      }
      return value
    }
    return Effect.onExit(write(changed), (written) =>
      Effect.sync(() => {
        for (const { exit, one } of taken) one.came = Exit.isSuccess(written) ? exit : Exit.failCause(written.cause)
      })).pipe(
        Effect.andThen(Effect.suspend(() => mine.came ?? Effect.die("a change was waited for that nobody made")))
      )
  })

/** A change that throws is its own fault and nobody else's. */
const changeWith = <A>(change: (value: A) => A, value: A): Exit.Exit<A> => {
  try {
    return Exit.succeed(change(value))
  } catch (error) {
    return Exit.die(error)
  }
}
