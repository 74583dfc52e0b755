/**
 * A piece of text, as such or as the bytes of one that is all ASCII: a gigabyte
 * of these is handed on without ever being a string.
 *
 * @since 0.1.0
 */

/**
 * **Gotchas**
 *
 * Bytes are only good until whoever gave them goes on.
 *
 * @category models
 * @since 0.1.0
 */
export type Piece = string | Uint8Array

/**
 * Returns the text.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (piece: Piece): string =>
  typeof piece === "string" ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1")
