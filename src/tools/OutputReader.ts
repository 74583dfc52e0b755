/**
 * Reads what a command prints, a piece at a time, and never more than is asked
 * for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import type { Readable } from "node:stream"

/**
 * One end of a pipe or socket that is read from.
 *
 * **Details**
 *
 * - `next`: the next piece, an empty one after `wake`, nothing at the end. The
 *   same again until it was `taken`. Pieces that `skim` is done with at once don't
 *   come here.
 * - `taken`: somebody has the piece. Its memory is used again for the next one.
 * - `wake`: whoever waits for a piece gets an empty one.
 * - `rest`: ends reading, and gives what was read and nobody has taken.
 * - `close`: whoever prints learns that nobody reads.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputReader {
  readonly next: (skim?: (piece: Uint8Array) => boolean) => Effect.Effect<Uint8Array | undefined>
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
        waiting.come(buffer.subarray(0, size))
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
      waiting.come(bytes)
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

const nothing = new Uint8Array(0)

const makeWaiting = () => {
  let piece: Uint8Array | undefined
  let ended = false
  let waiter: ((piece: Uint8Array | undefined) => void) | undefined
  let skims: (piece: Uint8Array) => boolean = () => false
  const give = (bytes: Uint8Array | undefined) => {
    const to = waiter
    waiter = undefined
    to?.(bytes)
  }
  return {
    come: (bytes: Uint8Array): void => {
      if (waiter !== undefined && skims(bytes)) return
      piece = bytes
      give(bytes)
    },
    end: (): void => {
      ended = true
      if (piece === undefined) give(undefined)
    },
    taken: (): void => {
      piece = undefined
    },
    wake: (): void => give(nothing),
    isWaiting: (): boolean => waiter !== undefined,
    untaken: (): ReadonlyArray<Uint8Array> => piece === undefined ? [] : [piece],
    next: (ask: () => void): OutputReader["next"] => (skim = () => false) =>
      Effect.callback((resume) => {
        if (piece !== undefined || ended) return resume(Effect.succeed(piece))
        skims = skim
        waiter = (bytes) => resume(Effect.succeed(bytes))
        ask()
        return Effect.sync(() => {
          waiter = undefined
        })
      })
  }
}
