/**
 * Decodes the text between `$'` and `'` as bash does.
 *
 * @since 0.1.0
 */

const simple: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  "\"": "\"",
  "?": "?"
}

const escape =
  /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([\s\S]))/g

/**
 * Returns what the body of `$'…'` stands for, or undefined where that depends
 * on the locale or where bash does something odd (`\0`, `\c`, `\x{…}`, bytes
 * that are no ASCII).
 *
 * @category decoding
 * @since 0.1.0
 */
export const decodeAnsi = (body: string): string | undefined => {
  let odd = false
  const text = body.replace(escape, (all: string, ...groups: ReadonlyArray<string | undefined>) => {
    const [plain, octal, hex, short, long] = groups
    if (plain !== undefined) return simple[plain] ?? all
    const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long ?? "", 16)
    if (Number.isNaN(code)) {
      odd ||= /^\\[cxuU]/.test(all)
      return all
    }
    odd ||= code === 0 || code > 127
    return odd ? "" : String.fromCharCode(code)
  })
  return odd ? undefined : text
}
