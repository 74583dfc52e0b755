/**
 * Reads an open file from its beginning, a piece at a time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { FileHandle } from "node:fs/promises"
import { fileStep, type FileStepFailed } from "./fileStep.ts"

/**
 * Hands every piece to `take` until it says that it has enough.
 *
 * **Gotchas**
 *
 * The piece is only good until `take` returns: its memory is used again.
 *
 * @category reading
 * @since 0.1.0
 */
export const readChunks = Effect.fnUntraced(function*(
  handle: FileHandle,
  take: (bytes: Uint8Array) => "more" | "enough"
): Effect.fn.Return<void, FileStepFailed> {
  const buffer = Buffer.allocUnsafe(256 * 1024)
  let position = 0
  while (true) {
    const { bytesRead } = yield* fileStep(() => handle.read(buffer, 0, buffer.length, position))
    if (bytesRead === 0) return
    position += bytesRead
    if (take(buffer.subarray(0, bytesRead)) === "enough") return
  }
})

/**
 * Reads an open file whole, or gives nothing when it holds more than `limit`
 * bytes.
 *
 * @category reading
 * @since 0.1.0
 */
export const readWhole = Effect.fnUntraced(function*(
  handle: FileHandle,
  limit: number
): Effect.fn.Return<Buffer | undefined, FileStepFailed> {
  const pieces: Array<Buffer> = []
  let size = 0
  yield* readChunks(handle, (bytes) => {
    size += bytes.length
    if (size > limit) return "enough"
    pieces.push(Buffer.from(bytes))
    return "more"
  })
  return size > limit ? undefined : Buffer.concat(pieces)
})
