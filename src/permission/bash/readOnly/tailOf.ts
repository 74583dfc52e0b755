/**
 * Words made from words: the value inside `--file=x`, a file below a folder.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"

/**
 * Returns what is left of a word after its first characters, which must be
 * known (`of=out` after three is `out`).
 *
 * @category words
 * @since 0.1.0
 */
export const tailOf = (word: Word, from: number): Word => {
  const [head, ...rest] = word.known
  const text = head.slice(from)
  return {
    source: word.source,
    known: [text, ...rest],
    value: rest.length === 0 ? text : undefined,
    splits: word.splits,
    glob: word.glob,
    // bash leaves a tilde inside a word alone, or else the reader of the line has made a gap of it
    tilde: false
  }
}

/**
 * Makes a word that was not written on the line, such as the current folder.
 *
 * @category words
 * @since 0.1.0
 */
export const unwritten = (value: string): Word => ({
  source: "",
  known: [value],
  value,
  splits: false,
  glob: false,
  tilde: value === "~"
})

/**
 * Returns the word as it is meant inside a folder (`tar -C dir x`).
 *
 * @category words
 * @since 0.1.0
 */
export const below = (folder: Word | undefined, word: Word): Word => {
  if (folder === undefined || /^[/~]/.test(word.known[0])) return word
  const [head, ...rest] = word.known
  const last = folder.known.length - 1
  const known: [string, ...Array<string>] = [...folder.known]
  known[last] = `${known[last]?.replace(/\/$/, "")}/${head}`
  known.push(...rest)
  return {
    source: word.source,
    known,
    value: known.length === 1 ? known[0] : undefined,
    splits: folder.splits || word.splits,
    glob: folder.glob || word.glob,
    tilde: folder.tilde ?? false
  }
}

/**
 * Returns the last segment of a path, as far as it is known.
 *
 * @category words
 * @since 0.1.0
 */
export const baseOf = (word: Word): Word => {
  const trimmed = word.known.map((piece, index) =>
    index === word.known.length - 1 ? piece.replace(/(?<=[^/])\/+$/, "") : piece
  )
  const at = trimmed.findLastIndex((piece) => piece.includes("/"))
  const [head = "", ...rest] = at < 0 ? trimmed : trimmed.slice(at)
  const text = head.slice(head.lastIndexOf("/") + 1)
  return { ...word, known: [text, ...rest], value: rest.length === 0 ? text : undefined, tilde: false }
}

/**
 * Stands for a gap between the known pieces of a word, where they are read as
 * one text.
 *
 * @category words
 * @since 0.1.0
 */
export const gap = "\uFFFC"

/**
 * Makes the word for a file that is named inside a text with gaps, such as a
 * script.
 *
 * @category words
 * @since 0.1.0
 */
export const namedIn = (text: string): Word => {
  const [head = "", ...rest] = text.split(gap)
  const known: [string, ...Array<string>] = [head, ...rest]
  return {
    source: known.join("…"),
    known,
    value: rest.length === 0 ? head : undefined,
    splits: false,
    glob: false,
    tilde: false
  }
}
