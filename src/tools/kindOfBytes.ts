/**
 * What a file is that holds no text, told by its first bytes.
 *
 * @since 0.1.0
 */
import { isUtf8 } from "node:buffer"

/**
 * What the first bytes of a file say: an image that a model can look at,
 * something else in binary, or text.
 *
 * @category models
 * @since 0.1.0
 */
export type Kind =
  | { readonly _tag: "Text" }
  | { readonly _tag: "Image"; readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" }
  | { readonly _tag: "Binary"; readonly what: string }

/**
 * Recognises a file by its first bytes.
 *
 * @category getters
 * @since 0.1.0
 */
export const kindOfBytes = (bytes: Uint8Array): Kind => {
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1")
  if (start.startsWith("%PDF-")) return { _tag: "Binary", what: "a PDF document" }
  if (isText(bytes)) return { _tag: "Text" }
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return { _tag: "Image", mediaType: "image/png" }
  if (start.startsWith("\xff\xd8\xff")) return { _tag: "Image", mediaType: "image/jpeg" }
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return { _tag: "Image", mediaType: "image/gif" }
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return { _tag: "Image", mediaType: "image/webp" }

  const known = signatures.find(([signature, , at = 0]) => start.startsWith(signature, at))
  if (known !== undefined) return { _tag: "Binary", what: known[1] }
  // Text in an old encoding is no UTF-8 either, but it holds no NUL.
  return bytes.includes(0) ? { _tag: "Binary", what: "binary data" } : { _tag: "Text" }
}

/** Signatures are made of letters too, so that what is text beyond doubt comes first. */
const isText = (bytes: Uint8Array): boolean => {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  // The last character may be cut.
  const whole = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))))
  return wide || (whole && !bytes.includes(0))
}

const signatures: ReadonlyArray<readonly [signature: string, what: string, at?: number]> = [
  ["\x7fELF", "a Linux program or library"],
  ["\xcf\xfa\xed\xfe", "a macOS program or library"],
  ["\xca\xfe\xba\xbe", "a Java class or a macOS program"],
  ["\x00asm", "a WebAssembly module"],
  ["PK\x03\x04", "a ZIP archive, or a document that is one inside"],
  ["PK\x05\x06", "an empty ZIP archive"],
  ["\x1f\x8b", "a gzip archive"],
  ["BZh", "a bzip2 archive"],
  ["\xfd7zXZ\x00", "an xz archive"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive"],
  ["\x28\xb5\x2f\xfd", "a Zstandard archive"],
  ["Rar!\x1a\x07", "a RAR archive"],
  ["ustar", "a tar archive", 257],
  ["SQLite format 3\x00", "a SQLite database"],
  ["wOFF", "a web font"],
  ["wOF2", "a web font"],
  ["OggS", "an Ogg audio or video"],
  ["ID3", "an MP3 audio"],
  ["ftyp", "an MP4 video or an image of that family", 4],
  ["\x00\x00\x01\x00", "an icon"],
  ["II*\x00", "a TIFF image"],
  ["MM\x00*", "a TIFF image"]
]
