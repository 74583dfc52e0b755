/**
 * The text of a settings file, in the encodings that editors write.
 *
 * @since 0.1.0
 */

/**
 * Decodes UTF-8, and UTF-16 with a byte-order mark; undefined for anything else.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
