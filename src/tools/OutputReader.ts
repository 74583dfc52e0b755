/**
 * Reads what a command prints, a piece at a time, and never more than is asked
 * for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import type { Readable } from "node:stream"
import { bufferOf } from "./Piece.ts"

/**
 * Somebody who takes bytes at once, without waiting for anything, as long as
 * `may` says so of that many. They are only good until `take` returns.
 *
 * @category models
 * @since 0.1.0
 */
export interface Skimmer {
  readonly may: (bytes: number) => boolean
  readonly take: (bytes: Uint8Array) => void
}

/**
 * One end of a pipe or socket that is read from.
 *
 * **Details**
 *
 * - `next`: the next piece, an empty one after `wake`, nothing at the end. The
 *   same again until it was `taken`. What a skimmer may take does not come here:
 *   it gets it in larger pieces, later, and all of it by the time that this ends
 *   or is interrupted.
 * - `taken`: somebody has the piece. Its memory is used again for the next one.
 * - `wake`: whoever waits for a piece gets an empty one.
 * - `rest`: ends reading, and gives what was read and nobody has taken.
 * - `close`: whoever prints learns that nobody reads.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputReader {
  readonly next: (skimmer?: Skimmer) => Effect.Effect<Uint8Array | undefined>
  readonly taken: () => void
  readonly wake: () => void
  readonly rest: () => ReadonlyArray<Uint8Array>
  readonly close: () => void
}

/**
 * Reads from the open end of a pipe, always into the same memory: a gigabyte
 * takes no more of it than a line. `closed` is called once the descriptor is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromPipe = (fd: number, closed: () => void): OutputReader => {
  const waiting = makeWaiting()
  const socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafeSlow(pieceBytes),
      callback: (size, buffer) => {
        waiting.come(buffer, size)
        // Whoever got the piece may have asked for the next one before this returns.
        return waiting.isWaiting()
      }
    }
  })
  socket.on("end", waiting.end).on("error", waiting.end).on("close", waiting.end).once("close", closed)
  return {
    next: waiting.next(() => void socket.resume()),
    taken: waiting.taken,
    wake: waiting.wake,
    rest: () => {
      socket.pause()
      return waiting.untaken()
    },
    close: () => void socket.destroy()
  }
}

/**
 * Reads from a stream without an encoding, as Node gives it for a child.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromStream = (stream: Readable): OutputReader => {
  const waiting = makeWaiting()
  const pull = () => {
    while (waiting.isWaiting()) {
      // A stream without an encoding gives bytes; its type says anything.
      const bytes = stream.read() as Uint8Array | null
      if (bytes === null) return
      waiting.come(bytes, bytes.length)
    }
  }
  stream.on("readable", pull).on("end", waiting.end).on("error", waiting.end).on("close", waiting.end)
  return {
    next: waiting.next(pull),
    taken: waiting.taken,
    wake: waiting.wake,
    rest: waiting.untaken,
    close: () => void stream.destroy()
  }
}

/** What a pipe holds on Linux. */
const pieceBytes = 65_536

/** A program that prints fast is read thousands of times a second, and whatever is made each time adds up. */
const heldBytes = 2 * pieceBytes

const nothing = new Uint8Array(0)

const makeWaiting = () => {
  let piece: Uint8Array | undefined
  let ended = false
  let waiter: ((piece: Uint8Array | undefined) => void) | undefined
  let skimmer: Skimmer | undefined
  let held = nothing
  let used = 0
  const give = (bytes: Uint8Array | undefined) => {
    const to = waiter
    waiter = undefined
    to?.(bytes)
  }
  // INVARIANT: what is held, a skimmer may take, and somebody waits. It is taken before he gets anything else.
  const release = () => {
    if (used > 0) skimmer?.take(held.subarray(0, used))
    used = 0
  }
  const holds = (bytes: Uint8Array, size: number): boolean => {
    if (waiter === undefined || skimmer === undefined) return false
    if (used === 0 && !skimmer.may(heldBytes)) return false
    if (held.length === 0) held = Buffer.allocUnsafeSlow(heldBytes)
    bufferOf(bytes).copy(held, used, 0, size)
    used += size
    if (used > heldBytes - pieceBytes) release()
    return true
  }
  return {
    come: (bytes: Uint8Array, size: number): void => {
      if (holds(bytes, size)) return
      piece = size === bytes.length ? bytes : bytes.subarray(0, size)
      give(piece)
    },
    end: (): void => {
      release()
      ended = true
      if (piece === undefined) give(undefined)
    },
    taken: (): void => {
      piece = undefined
    },
    wake: (): void => {
      release()
      give(nothing)
    },
    isWaiting: (): boolean => waiter !== undefined,
    untaken: (): ReadonlyArray<Uint8Array> => piece === undefined ? [] : [piece],
    next: (ask: () => void): OutputReader["next"] => (skims) =>
      Effect.callback((resume) => {
        if (piece !== undefined || ended) return resume(Effect.succeed(piece))
        skimmer = skims
        waiter = (bytes) => resume(Effect.succeed(bytes))
        ask()
        return Effect.sync(() => {
          release()
          waiter = undefined
        })
      })
  }
}
