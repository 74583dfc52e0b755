/**
 * Remembers how a long text ends.
 *
 * @since 0.1.0
 */
import { bufferOf, type Piece } from "./Piece.ts"

/**
 * The last characters of what was added, `chars` at most.
 *
 * @category models
 * @since 0.1.0
 */
export interface TextTail {
  readonly add: (piece: Piece) => void
  readonly text: () => string
}

/**
 * Remembers nothing yet. Bytes go into memory that is used again and again.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (chars: number): TextTail => {
  let before = ""
  const bytes = Buffer.alloc(4 * chars)
  let used = 0
  const text = () => (before + bytes.toString("latin1", 0, used)).slice(-chars)
  return {
    text,
    add: (piece) => {
      if (piece.length === 0) return
      if (typeof piece === "string") {
        before = piece.length >= chars ? piece.slice(-chars) : (text() + piece).slice(-chars)
        used = 0
        return
      }
      const from = Math.max(0, piece.length - chars)
      if (used + piece.length - from > bytes.length) {
        before = ""
        bytes.copyWithin(0, used - chars, used)
        used = chars
      }
      used += bufferOf(piece).copy(bytes, used, from)
    }
  }
}
