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
import { type Piece, textOf } from "./Piece.ts"
import * as TextTail from "./TextTail.ts"

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
 * **Details**
 *
 * `note` is `append` without waiting, for as long as `mayNote` says so of that
 * many characters more: there is room in memory for them, or of what comes only
 * the length and the last of it are kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputKeeper {
  readonly append: (piece: Piece) => Effect.Effect<void>
  readonly mayNote: (chars: number) => boolean
  readonly note: (piece: Piece) => void
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
  let head = ""
  let tail: TextTail.TextTail | undefined
  let size = 0
  // A write for each piece would take more memory than the pieces.
  let waiting = Buffer.alloc(0)
  let used = 0
  let spool: Spool | undefined
  let path: string | undefined
  let problem: string | undefined

  const giveUp = (why: string) => {
    problem ??= why
    spool = undefined
  }

  const isFull = () => spool === undefined || (size >= storedBytes && problem !== undefined)
  const mayNote = (more: number) => tail !== undefined && (isFull() || waiting.length - used >= more * mostBytesOfChar)
  const note = (more: Piece) => {
    chars += more.length
    tail?.add(more)
    if (isFull()) return
    if (typeof more === "string") used += waiting.write(more, used)
    else {
      waiting.set(more, used)
      used += more.length
    }
  }

  const flush = Effect.suspend(() => {
    const bytes = waiting.subarray(0, used)
    used = 0
    return bytes.length === 0 ? Effect.void : store(bytes)
  })
  const store = Effect.fnUntraced(function*(bytes: Uint8Array): Effect.fn.Return<void> {
    if (spool === undefined || isFull()) return
    const room = storedBytes - size
    const done = yield* Effect.result(spool.append(bytes.length > room ? upTo(bytes, room) : bytes))
    if (Result.isFailure(done)) return giveUp(done.failure.message)
    size += Math.min(bytes.length, room)
    if (bytes.length > room) problem ??= `only the first ${storedBytes} bytes of the output were kept`
  })

  const grow = Effect.fnUntraced(function*(): Effect.fn.Return<void> {
    const all = text.join("")
    text = []
    head = clean(all.slice(0, endChars))
    tail = TextTail.make(endChars)
    waiting = Buffer.allocUnsafe(waitingBytes)
    tail.add(all)
    const opened = yield* Effect.result(Scope.provide(open, scope))
    if (Result.isFailure(opened)) return giveUp(opened.failure.message)
    spool = opened.success
    path = spool.path
    yield* store(Buffer.from(all))
  })

  return {
    mayNote,
    note,
    append: (more) =>
      Effect.suspend(() => {
        if (more.length === 0) return Effect.void
        if (mayNote(more.length)) {
          note(more)
          return used > flushedBytes ? flush : Effect.void
        }
        chars += more.length
        if (tail !== undefined) {
          tail.add(more)
          return Effect.andThen(flush, store(typeof more === "string" ? Buffer.from(more) : more))
        }
        text.push(textOf(more))
        return chars > inlineChars ? grow() : Effect.void
      }),
    end: Effect.suspend((): Effect.Effect<Kept> => {
      if (tail === undefined) return Effect.succeed({ _tag: "Short", text: text.join("") })
      const last = clean(tail.text())
      const sync = Effect.suspend(() =>
        spool === undefined ?
          Effect.void :
          Effect.catch(spool.sync, (error) => Effect.sync(() => giveUp(error.message)))
      )
      return Effect.map(Effect.andThen(flush, sync), () => ({
        _tag: "Long",
        head,
        tail: last,
        chars,
        path: spool === undefined ? undefined : path,
        size,
        problem
      }))
    })
  }
})

const endChars = 10_000

const waitingBytes = 1024 * 1024

/** Whoever can wait makes room for those that can't. */
const flushedBytes = waitingBytes / 4

const mostBytesOfChar = 3

/** Takes off the half of a character that a cut may have left at either end. */
const clean = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")

/** As many bytes as there is room for, never a part of a character. */
const upTo = (bytes: Uint8Array, room: number): Uint8Array => {
  let end = Math.max(0, room)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
