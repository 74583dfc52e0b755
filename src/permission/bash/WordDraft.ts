/**
 * A word while it is put together, piece by piece.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"

/**
 * A piece of which only running the line tells what it becomes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Gap {
  readonly splits: boolean
  readonly glob: boolean
}

/**
 * One piece of a word: text without quotes, or a gap. `bare` text stood
 * outside quotes, so that brace expansion sees it.
 *
 * @category models
 * @since 0.1.0
 */
export type Piece = { readonly text: string; readonly bare: boolean } | Gap

/**
 * @category constants
 * @since 0.1.0
 */
export const gap: Gap = { splits: false, glob: false }

/**
 * @category constants
 * @since 0.1.0
 */
export const splittingGap: Gap = { splits: true, glob: false }

/**
 * @category constants
 * @since 0.1.0
 */
export const globGap: Gap = { splits: true, glob: true }

/**
 * Returns a word whose text is certain.
 *
 * @category making
 * @since 0.1.0
 */
export const certainWord = (source: string, value: string): Word => ({
  source,
  known: [value],
  value,
  splits: false,
  glob: false,
  tilde: false
})

/**
 * Returns a word made of pieces.
 *
 * @category making
 * @since 0.1.0
 */
export const wordOf = (source: string, pieces: ReadonlyArray<Piece>, tilde: boolean): Word => {
  const known: Array<string> = []
  let text = ""
  let splits = false
  let glob = false
  for (const piece of pieces) {
    if ("text" in piece) {
      text += piece.text
      continue
    }
    known.push(text)
    text = ""
    splits ||= piece.splits
    glob ||= piece.glob
  }
  const [first, ...rest] = [...known, text]
  return first === undefined || rest.length === 0
    ? { source, known: [text], value: text, splits: false, glob: false, tilde }
    : { source, known: [first, ...rest], value: undefined, splits, glob, tilde }
}

/**
 * Returns a word that may be any number of words.
 *
 * @category making
 * @since 0.1.0
 */
export const anyWords = (source: string): Word => wordOf(source, [splittingGap], false)
