/**
 * Reads an open file from its beginning, a piece at a time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { fstatSync, read as readIn } from "node:fs"
import { fileLook, fileStep, type FileStepFailed } from "./fileStep.ts"

/**
 * Hands every piece to `take` until it says that it has enough, first the
 * `beginning` that was read already.
 *
 * **Details**
 *
 * A file is read as far as its size said at first; one that a kernel makes up, and
 * whose size says nothing, to its end.
 *
 * **Gotchas**
 *
 * The piece is only good until `take` returns: its memory is used again.
 *
 * @category reading
 * @since 0.1.0
 */
export const readChunks = Effect.fnUntraced(function*(
  descriptor: number,
  take: (bytes: Uint8Array) => "more" | "enough",
  beginning: Uint8Array = nothing
): Effect.fn.Return<void, FileStepFailed> {
  const { size } = yield* fileLook(() => fstatSync(descriptor))
  if (beginning.length > 0 && take(beginning) === "enough") return
  let position = beginning.length
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size - position, 8 * 1024), 256 * 1024))
  while (true) {
    if (size > 0 && position >= size) return
    const bytesRead = yield* fileStep(() => read(descriptor, buffer, position))
    if (bytesRead === 0) return
    position += bytesRead
    if (take(buffer.subarray(0, bytesRead)) === "enough") return
  }
})

const nothing = new Uint8Array()

const read = (descriptor: number, into: Uint8Array, position: number): Promise<number> =>
  new Promise((resolve, reject) =>
    readIn(
      descriptor,
      into,
      0,
      into.length,
      position,
      (error, bytes) => error === null ? resolve(bytes) : reject(error)
    )
  )

/**
 * Reads an open file whole, or gives nothing when it holds more than `limit`
 * bytes.
 *
 * @category reading
 * @since 0.1.0
 */
export const readWhole = Effect.fnUntraced(function*(
  descriptor: number,
  limit: number
): Effect.fn.Return<Buffer | undefined, FileStepFailed> {
  const pieces: Array<Buffer> = []
  let size = 0
  yield* readChunks(descriptor, (bytes) => {
    size += bytes.length
    if (size > limit) return "enough"
    pieces.push(Buffer.from(bytes))
    return "more"
  })
  return size > limit ? undefined : Buffer.concat(pieces)
})
