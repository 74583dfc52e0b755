/**
 * Standard input without the streams that Node takes long to load.
 *
 * @since 0.1.0
 */
import { readSync } from "node:fs"

/**
 * What was read of standard input, and whether that is all.
 *
 * @category models
 * @since 0.1.0
 */
export interface Input {
  readonly bytes: Buffer
  readonly ended: boolean
}

/**
 * Reads standard input to its end, or until it holds more than `limit` bytes. Where
 * it can't be read so, a stream has to read the rest, and says what is wrong.
 *
 * **Gotchas**
 *
 * Nothing else happens meanwhile: a signal only stops a program that does not mind
 * signals yet.
 *
 * @category reading
 * @since 0.1.0
 */
export const readInput = (limit = Number.POSITIVE_INFINITY): Input => {
  const parts: Array<Buffer> = []
  const read = (ended: boolean): Input => ({ bytes: Buffer.concat(parts), ended })
  try {
    const buffer = Buffer.allocUnsafe(65_536)
    for (let total = 0; total <= limit;) {
      const size = readSync(0, buffer)
      if (size === 0) return read(true)
      // Copied, since a slow writer would have us keep a whole buffer for each byte.
      parts.push(Buffer.from(buffer.subarray(0, size)))
      total += size
    }
  } catch {
    // A terminal or a socket may have nothing yet, and a folder never has.
  }
  return read(false)
}
