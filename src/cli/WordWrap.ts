/**
 * Breaks prose into the rows of a terminal while it comes in.
 *
 * @since 0.1.0
 */
import { widthOf } from "./widthOf.ts"

/**
 * What breaks a text into rows. `take` gives what to write of the next piece,
 * `end` what ends the line, where there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface WordWrap {
  readonly take: (text: string) => string
  readonly end: () => string
  /** Whether there is a line that has not ended. */
  readonly isMidLine: () => boolean
}

/**
 * Makes one for rows of so many cells, which is asked for each word, since
 * terminals change their size.
 *
 * **Details**
 *
 * A word waits for its end only while it fits into its row, and a sentence's last
 * word does not. A word longer than a row begins one and is left to the terminal,
 * as is a block of code between fences, so that both can be copied; `code` in a
 * line counts as one word. Chinese and Japanese break between any two letters.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeWordWrap = (columns: () => number): WordWrap => {
  /** The line as it came, and the block of code that it belongs to. */
  let line = ""
  let fence: string | undefined
  /** Cells of the row before the word, the space that will be between, and the word. */
  let used = 0
  let gap = ""
  let word = ""
  let waits = true
  let quoted = false

  const release = (between: string): string => {
    waits = false
    used = between === "\n" ? 0 : used + cellsOf(between)
    gap = ""
    return between + word
  }
  const add = (character: string): string => {
    word += character
    if (character === "`") quoted = !quoted
    if (!waits) return character
    if (used === 0) return release(gap)
    // What is longer than a row, or older than its width, goes on in further ones.
    const column = (used - 1) % columns() + 1
    return column + cellsOf(gap) + widthOf(word) > columns() ? release("\n") : ""
  }
  const endWord = (): string => {
    const rest = waits && word !== "" ? release(gap) : ""
    used += widthOf(word)
    word = ""
    waits = true
    return rest
  }
  const endLine = (): string => {
    const rest = endWord()
    const [, mark] = fence === undefined ? opening.exec(line) ?? [] : closing.exec(line) ?? []
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) === true) fence = undefined
    line = ""
    used = 0
    gap = ""
    quoted = false
    return `${rest}\n`
  }
  const next = (character: string): string => {
    if (character === "\n") return endLine()
    const before = line.slice(-2)
    line += character
    if (fence !== undefined) return character
    if (!quoted && /\s/.test(character)) {
      const rest = endWord()
      gap += character
      return rest
    }
    return !quoted && breaks.test(before + character) ? endWord() + add(character) : add(character)
  }

  return {
    take: (text) => {
      const taken = Array.from(text, next).join("")
      return waits && /[.!?:]$/.test(word) ? taken + release(gap) : taken
    },
    end: () => line === "" ? "" : endLine(),
    isMidLine: () => line !== ""
  }
}

const opening = /^\s*(`{3,}(?=[^`]*$)|~{3,})/

const closing = /^\s*(`{3,}|~{3,})\s*$/

/** Between two letters of which one is of a script without spaces. */
const breaks =
  /[\p{Ideographic}\p{sc=Hiragana}\p{sc=Katakana}][\p{L}\p{N}]$|[^\s][\p{Ideographic}\p{sc=Hiragana}\p{sc=Katakana}]$/u

/** A tab takes eight cells at most. */
const cellsOf = (space: string): number => widthOf(space.replaceAll("\t", " ".repeat(8)))
