/**
 * How the text of a file is written as bytes, so that an edit gives back every
 * byte that it does not touch.
 *
 * @since 0.1.0
 */
import { isUtf8 } from "node:buffer"

/**
 * An encoding, and whether the file begins with its mark.
 *
 * @category models
 * @since 0.1.0
 */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be"
  readonly mark: boolean
}

/**
 * UTF-8 without a mark.
 *
 * @category constants
 * @since 0.1.0
 */
export const utf8: TextEncoding = { name: "utf-8", mark: false }

/**
 * Recognises the encoding of a file by its first bytes.
 *
 * @category getters
 * @since 0.1.0
 */
export const ofBytes = (bytes: Uint8Array): TextEncoding => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { name: "utf-8", mark: true }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name: "utf-16le", mark: true }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { name: "utf-16be", mark: true }
  return utf8
}

/**
 * Reads bytes as text, the mark left out, or gives nothing when writing it back
 * would not give the same bytes.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (bytes: Uint8Array, encoding: TextEncoding): string | undefined => {
  if (encoding.name === "utf-8") {
    return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined
  }
  const text = new TextDecoder(encoding.name).decode(bytes)
  return Buffer.from(encode(text, encoding)).equals(bytes) ? text : undefined
}

/**
 * Writes a text as bytes.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = (text: string, { mark, name }: TextEncoding): Uint8Array => {
  const marked = mark && !text.startsWith("\ufeff") ? `\ufeff${text}` : text
  if (name === "utf-8") return Buffer.from(marked, "utf8")
  const bytes = Buffer.from(marked, "utf16le")
  return name === "utf-16le" ? bytes : bytes.swap16()
}
