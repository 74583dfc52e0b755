/**
 * Reads the bytes of a page as text, whatever it says of its encoding.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as TextEncoding from "./TextEncoding.ts"

/**
 * Returns the text of a page, by its byte order mark, what its header names
 * (`type`), or what it declares at its beginning; else as UTF-8.
 *
 * **Details**
 *
 * Names are not believed where the bytes speak against them: what is valid UTF-8 is
 * that, although an encoding of single bytes was named, and what is none is read by
 * another name, or as Windows-1252, which every browser takes for Latin-1. A page
 * that was `cut` may end within a character.
 *
 * **Example** (A header that lies)
 *
 * ```ts
 * import { pageText } from "toolgate/tools/pageText"
 *
 * pageText(new TextEncoder().encode("café"), "text/html; charset=iso-8859-1") // => "café"
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const pageText = (bytes: Uint8Array, type: string, cut = false): string => {
  const { mark, name } = TextEncoding.ofBytes(bytes)
  if (mark) return new TextDecoder(name).decode(bytes)
  const named = encodingOf(inHeader.exec(type)?.[1])
  const declared = isMarkup(type) ? declaredIn(bytes) : undefined
  const encoding = named ?? declared ?? "utf-8"
  if (ofSeveralBytes.has(encoding)) return new TextDecoder(encoding).decode(bytes)
  const valid = utf8Of(bytes, cut)
  if (valid !== undefined) return valid
  const text = new TextDecoder(encoding).decode(bytes)
  if (encoding !== "utf-8" || !isDamaged(text)) return text
  return new TextDecoder(declared === "utf-8" ? "windows-1252" : declared ?? "windows-1252").decode(bytes)
}

/**
 * Whether a header names an encoding whose texts hold NUL bytes, so that they look
 * like no text.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isWide = (type: string): boolean => encodingOf(inHeader.exec(type)?.[1])?.startsWith("utf-16") === true

const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i

/** The name that decoders know an encoding by, if there is such an encoding. */
const encodingOf = (label: string | undefined): string | undefined =>
  label === undefined
    ? undefined
    : Result.getOrUndefined(Result.try(() => new TextDecoder(label).encoding))

const isMarkup = (type: string): boolean => /html|xml/i.test(type) || !type.includes("/")

/** What a page declares in letters can be no encoding of two bytes each. */
const declaredIn = (bytes: Uint8Array): string | undefined => {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1").replace(/<!--[^]*?-->/g, "")
  const label = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1] ??
    /<meta\s[^>]*?charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
  const encoding = encodingOf(label)
  return encoding?.startsWith("utf-16") === true ? "utf-8" : encoding
}

const ofSeveralBytes: ReadonlySet<string> = new Set([
  "big5",
  "euc-jp",
  "euc-kr",
  "gb18030",
  "gbk",
  "iso-2022-jp",
  "shift_jis",
  "utf-16be",
  "utf-16le"
])

const utf8Of = (bytes: Uint8Array, cut: boolean): string | undefined =>
  Result.getOrUndefined(Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut })))

/** A page of UTF-8 with a few wrong bytes is still one. */
const isDamaged = (text: string): boolean => {
  const odd = text.match(/[^\x00-\x7f]/gu) ?? []
  const lost = odd.filter((character) => character === "\ufffd").length
  return lost > odd.length - lost
}
