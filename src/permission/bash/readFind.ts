/**
 * Reads what `find` and `fd` start for the files they find.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { elsewhere, type Reader, startsAt } from "./Context.ts"
import { noInput } from "./Line.ts"
import { anywhere } from "./Place.ts"
import { anyWords, gap, type Piece, wordOf } from "./WordDraft.ts"

const starts = new Set(["-exec", "-execdir", "-ok", "-okdir"])
const writes = new Set(["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"])

/**
 * Reads `find`: each `-exec` and its like up to `;` or `{} +`. What deletes,
 * writes or runs is never covered by an allow rule with a gap.
 *
 * @category reading
 * @since 0.1.0
 */
export const readFind: Reader = (started, context) => {
  const { words } = started
  const inner: Array<SimpleCommand> = []
  let exactOnly = words.some((word) => word.value !== undefined && writes.has(word.value))
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value
    if (value === undefined || !starts.has(value)) continue
    exactOnly = true
    const end = words.findIndex((word, index) =>
      index > at && (word.value === ";" || (word.value === "+" && words[index - 1]?.value === "{}"))
    )
    const to = end < 0 ? words.length : end
    const many = words[to]?.value === "+"
    const place = value.endsWith("dir") ? anywhere : started.place
    const found = words.slice(at + 1, to).map((word) => filled(word, many))
    const executed = { words: found, assignments: started.assignments, place, input: noInput }
    inner.push(...elsewhere(executed, context, (inside) => startsAt(executed, 0, inside)))
    at = to
  }
  if (inner.length === 0 && !exactOnly) return undefined
  return { carrier: inner.length > 0 ? "delegate" : undefined, inner, transparent: false, exactOnly }
}

/**
 * Reads `fd`, whose `-x` and `-X` take the rest of the words.
 *
 * @category reading
 * @since 0.1.0
 */
export const readFd: Reader = (started, context) => {
  const at = started.words.findIndex((word) =>
    word.value !== undefined && /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(word.value)
  )
  const glued = started.words.findIndex((word) => /^--exec(?:-batch)?=/.test(word.known[0]))
  if (at < 0 && glued < 0) return undefined
  const words = at < 0
    ? started.words.slice(glued).map((word, index) => index === 0 ? afterEquals(word) : word)
    : started.words.slice(at + 1)
  const end = words.findIndex((word) => word.value === ";")
  const found = [...(end < 0 ? words : words.slice(0, end)).map((word) => filled(word, true)), anyWords("")]
  const executed = { ...started, words: found, input: noInput }
  const inner = elsewhere(executed, context, (inside) => startsAt(executed, 0, inside))
  return { carrier: "delegate", inner, transparent: false, exactOnly: true }
}

const afterEquals = (word: Word): Word => {
  const value = word.value?.slice(word.value.indexOf("=") + 1)
  return value === undefined ? anyWords(word.source) : { ...word, known: [value], value }
}

const placeholder = /\{(?:[./]|\/[./])?\}/

const filled = (word: Word, many: boolean): Word => {
  if (word.value === undefined) return word
  if (word.value === "{}" && many) return anyWords(word.source)
  const texts = word.value.split(placeholder)
  if (texts.length < 2) return word
  const pieces = texts.flatMap((text, index): ReadonlyArray<Piece> =>
    index === 0 ? [{ text, bare: false }] : [gap, { text, bare: false }]
  )
  return wordOf(word.source, pieces, false)
}
