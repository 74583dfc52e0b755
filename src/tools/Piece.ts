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
export const textOf = (piece: Piece): string => typeof piece === "string" ? piece : bufferOf(piece).toString("latin1")

/**
 * The same bytes, with what Node can do with them.
 *
 * @category getters
 * @since 0.1.0
 */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
