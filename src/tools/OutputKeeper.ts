/**
 * Keeps what a command prints: all of it while it is short, both ends and a file
 * once it is long.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { ResultStoreFailed } from "../errors/ResultError.ts"
import type { Spool } from "../services/ResultStore.ts"

/**
 * What was kept.
 *
 * **Details**
 *
 * `problem` says why a long text is not, or not wholly, in a file.
 *
 * @category models
 * @since 0.1.0
 */
export type Kept =
  | { readonly _tag: "Short"; readonly text: string }
  | {
    readonly _tag: "Long"
    readonly head: string
    readonly tail: string
    readonly chars: number
    readonly path: string | undefined
    readonly size: number
    readonly problem: string | undefined
  }

/**
 * Takes text as it comes.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputKeeper {
  readonly append: (text: string) => Effect.Effect<void>
  readonly end: Effect.Effect<Kept>
}

/**
 * Begins keeping. `open` is asked for a file when the text gets longer than
 * `inlineChars`; the file closes with the scope.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(options: {
  readonly inlineChars: number
  readonly storedBytes: number
  readonly open: Effect.Effect<Spool, ResultStoreFailed, Scope.Scope>
}): Effect.fn.Return<OutputKeeper, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const { inlineChars, open, storedBytes } = options
  let text: Array<string> = []
  let chars = 0
  let long = false
  let head = ""
  let tail = ""
  let size = 0
  let spool: Spool | undefined
  let path: string | undefined
  let problem: string | undefined

  const giveUp = (why: string) => {
    problem ??= why
    spool = undefined
  }

  const store = Effect.fnUntraced(function*(more: string): Effect.fn.Return<void> {
    const room = storedBytes - size
    // Most of a very long text comes when the file is full already.
    if (spool === undefined || (room <= 0 && problem !== undefined)) return
    const bytes = new TextEncoder().encode(more)
    const done = yield* Effect.result(spool.append(bytes.length > room ? upTo(bytes, room) : bytes))
    if (Result.isFailure(done)) return giveUp(done.failure.message)
    size += Math.min(bytes.length, room)
    if (bytes.length > room) problem ??= `only the first ${storedBytes} bytes of the output were kept`
  })

  const grow = Effect.fnUntraced(function*(): Effect.fn.Return<void> {
    const all = text.join("")
    text = []
    long = true
    head = clean(all.slice(0, endChars))
    tail = all.slice(-endChars)
    const opened = yield* Effect.result(Scope.provide(open, scope))
    if (Result.isFailure(opened)) return giveUp(opened.failure.message)
    spool = opened.success
    path = spool.path
    yield* store(all)
  })

  return {
    append: (more) =>
      Effect.suspend(() => {
        if (more === "") return Effect.void
        chars += more.length
        if (long) {
          tail = more.length >= endChars ? more.slice(-endChars) : (tail + more).slice(-endChars)
          return store(more)
        }
        text.push(more)
        return chars > inlineChars ? grow() : Effect.void
      }),
    end: Effect.suspend((): Effect.Effect<Kept> => {
      if (!long) return Effect.succeed({ _tag: "Short", text: text.join("") })
      const synced = spool === undefined ?
        Effect.void :
        Effect.catch(spool.sync, (error) => Effect.sync(() => giveUp(error.message)))
      return Effect.map(synced, () => ({
        _tag: "Long",
        head,
        tail: clean(tail),
        chars,
        path: spool === undefined ? undefined : path,
        size,
        problem
      }))
    })
  }
})

const endChars = 10_000

/** Takes off the half of a character that a cut may have left at either end. */
const clean = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")

/** As many bytes as there is room for, never a part of a character. */
const upTo = (bytes: Uint8Array, room: number): Uint8Array => {
  let end = Math.max(0, room)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
