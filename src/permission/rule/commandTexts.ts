/**
 * The words of a command as the texts that patterns are held against.
 *
 * @since 0.1.0
 */
import type { Wildcard } from "../../domain/Rule.ts"
import type { Word } from "../../domain/ShellCommand.ts"

/**
 * Stands in a text for a word that may become several or none, with the blank
 * beside it. No pattern holds it, so that only a gap covers it.
 *
 * @category constants
 * @since 0.1.0
 */
export const unknownWords = "\uFDD1"

/**
 * Stands for a blank that is part of a word and separates nothing.
 *
 * @category constants
 * @since 0.1.0
 */
export const inWordBlank = "\uFDD2"

/**
 * One command as texts.
 *
 * **Details**
 *
 * `strict` tells blanks inside words from those between, `loose` does not;
 * `pieces` is the loose text cut where something is unknown; `wordsNext` says
 * that the first cut is where words may follow, so that a blank comes first.
 * `source` is the words as they were written.
 *
 * @category models
 * @since 0.1.0
 */
export interface CommandTexts {
  readonly strict: string
  readonly loose: string
  readonly pieces: Wildcard
  readonly wordsNext: boolean
  readonly source: () => string
  readonly certainProgram: boolean
  readonly hasUnknown: boolean
  readonly hasInWordBlank: boolean
}

/**
 * Returns the texts of a command. Those of the last one asked for are kept, since
 * a command is held against many patterns in a row.
 *
 * @category getters
 * @since 0.1.0
 */
export const commandTexts = (words: ReadonlyArray<Word>): CommandTexts => {
  if (last?.words !== words) last = { words, texts: makePlain(words) ?? make(words) }
  return last.texts
}

/**
 * Takes the difference between blanks inside and between words out of a text
 * with gaps.
 *
 * @category combining
 * @since 0.1.0
 */
export const loosely = (pieces: Wildcard): Wildcard => pieces.map((piece) => piece.replaceAll(inWordBlank, " "))

// Stands in a text for what only running the command tells. No pattern holds it,
// so that only a gap covers it.
const unknown = "\uFDD0"

let last: { readonly words: ReadonlyArray<Word>; readonly texts: CommandTexts } | undefined

const standIns = /[\uFDD0-\uFDD2]/g

const special = /[ \uFDD0-\uFDD2]/

const unknowns = /[\uFDD0\uFDD1]/

// Text that holds the stand-ins by itself loses them.
const markBlanks = (text: string): string =>
  special.test(text) ? text.replace(standIns, "\uFFFD").replaceAll(" ", inWordBlank) : text

const mayVanish = ({ known, splits, value }: Word): boolean =>
  value === undefined && splits && known.every((piece) => piece.length === 0)

// Few patterns ask for it.
const sourceOf = (words: ReadonlyArray<Word>): () => string => {
  let source: string | undefined
  return () => source ??= words.map((word) => word.source).join(" ")
}

// Most commands hold nothing unusual.
const makePlain = (words: ReadonlyArray<Word>): CommandTexts | undefined => {
  let text = ""
  let first = true
  for (const { value } of words) {
    if (value === undefined || value.includes(" ")) return undefined
    text += first ? value : ` ${value}`
    first = false
  }
  if (/[\uFDD0-\uFDD2]/.test(text)) return undefined
  return {
    strict: text,
    loose: text,
    pieces: [text],
    wordsNext: false,
    source: sourceOf(words),
    certainProgram: words.length > 0,
    hasUnknown: false,
    hasInWordBlank: false
  }
}

const make = (words: ReadonlyArray<Word>): CommandTexts => {
  let strict = ""
  let pending = ""
  let hasUnknown = false
  for (const word of words) {
    if (word.value !== undefined) {
      strict += pending + markBlanks(word.value)
      pending = " "
    } else if (mayVanish(word)) {
      strict += unknownWords
      hasUnknown = true
    } else {
      strict += pending + word.known.map(markBlanks).join(unknown)
      pending = " "
      hasUnknown = true
    }
  }
  const hasInWordBlank = strict.includes(inWordBlank)
  const loose = hasInWordBlank ? strict.replaceAll(inWordBlank, " ") : strict
  const pieces = hasUnknown ? loose.split(unknowns) : [loose]
  const start = pieces[0]?.length ?? 0
  return {
    strict,
    loose,
    pieces,
    wordsNext: hasUnknown && loose[start] === unknownWords && !(words[0] !== undefined && mayVanish(words[0])),
    source: sourceOf(words),
    certainProgram: words[0]?.value !== undefined,
    hasUnknown,
    hasInWordBlank
  }
}
