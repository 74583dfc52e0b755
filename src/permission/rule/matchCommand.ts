/**
 * Holds a command pattern against the words of a command.
 *
 * @since 0.1.0
 */
import type { Behavior, Specifier, Wildcard } from "../../domain/Rule.ts"
import type { Word } from "../../domain/ShellCommand.ts"
import { type CommandTexts, commandTexts, loosely, unknownWords } from "./commandTexts.ts"
import { compileCommand, type CompiledCommand } from "./compileCommand.ts"
import { matchPieces } from "./pieces.ts"

/**
 * What holding a pattern against a command can tell. `maybe`: some of what only
 * running the command tells would make it match.
 *
 * @category models
 * @since 0.1.0
 */
export type Match = "yes" | "maybe" | "no"

/**
 * A specifier that is a command pattern.
 *
 * @category models
 * @since 0.1.0
 */
export type CommandPattern = Extract<Specifier, { readonly _tag: "Command" }>

/**
 * Holds a command pattern against the words of one command.
 *
 * **Details**
 *
 * The text compared is the words as the shell sees them, joined by single
 * blanks. `yes` is certain whatever the unknown parts of words hold: only a gap
 * of the pattern covers them. A pattern that holds quotes or the like is also
 * compared with the words as they were written, and as the shell would see the
 * pattern.
 *
 * A blank inside a word (`git "commit x"`) separates nothing. For an allow rule
 * it is therefore not the blank that a pattern asks for; for deny and ask rules
 * it is, so that no quote hides a command from them.
 *
 * **Gotchas**
 *
 * A program whose name is not certain is never more than `maybe`.
 *
 * @category matching
 * @since 0.1.0
 */
export const matchCommand = (
  pattern: CommandPattern,
  words: ReadonlyArray<Word>,
  behavior: Behavior = "allow"
): Match => {
  if (words.length === 0) return "no"
  const compiled = compileCommand(pattern)
  const texts = commandTexts(words)
  if (texts.certainProgram && isCertain(compiled, texts, behavior)) return "yes"
  return texts.hasUnknown && isPossible(compiled, texts) ? "maybe" : "no"
}

/**
 * Says whether a pattern spells a command out: the two are the same text, a `*`
 * in the one being the `*` in the other. Such a rule covers even commands that
 * no pattern may cover.
 *
 * @category matching
 * @since 0.1.0
 */
export const spellsOut = (pattern: CommandPattern, words: ReadonlyArray<Word>): boolean => {
  if (pattern.boundary || words.length === 0) return false
  const compiled = compileCommand(pattern)
  const texts = commandTexts(words)
  if (!texts.certainProgram) return false
  const written = compiled.written.join("*")
  return written === texts.source() || (!texts.hasUnknown && compiled.seen?.join("*") === texts.strict)
}

/**
 * Says whether an exact rule is the whole line, as it was written. That is what
 * a saved `Bash(cd app && make)` means.
 *
 * @category matching
 * @since 0.1.0
 */
export const spellsLine = (pattern: CommandPattern, line: string): boolean =>
  !pattern.boundary && pattern.pieces.length === 1 && pattern.pieces[0]?.trim() === line.trim()

const isCertain = (compiled: CompiledCommand, texts: CommandTexts, behavior: Behavior): boolean => {
  const { boundary, seen, special, written } = compiled
  if (seen !== undefined && matches(seen, boundary, texts.strict)) return true
  if (special && matches(written, boundary, texts.source())) return true
  if (behavior === "allow" || !texts.hasInWordBlank) return false
  const loose = texts.loose
  return matches(written, boundary, loose) || (seen !== undefined && special && matches(loosely(seen), boundary, loose))
}

const matches = (pieces: Wildcard, boundary: boolean, text: string): boolean => {
  if (!boundary) return matchPieces(pieces, text)
  if (pieces.length > 1) {
    return matchPieces(pieces, text) || matchPieces([...pieces.slice(0, -1), `${pieces.at(-1)} `, ""], text) ||
      (text.includes(unknownWords) &&
        matchPieces([...pieces.slice(0, -1), `${pieces.at(-1)}${unknownWords}`, ""], text))
  }
  const prefix = pieces[0] ?? ""
  if (!text.startsWith(prefix)) return false
  const next = text[prefix.length]
  return next === undefined || next === " " || next === unknownWords
}

const isPossible = ({ boundary, seen, special, written }: CompiledCommand, texts: CommandTexts): boolean =>
  (special && matches(written, boundary, texts.source())) ||
  inCommon(written, boundary, texts) ||
  (special && seen !== undefined && inCommon(loosely(seen), boundary, texts))

const inCommon = (pattern: Wildcard, boundary: boolean, texts: CommandTexts): boolean =>
  haveCommonText(pattern, texts) ||
  (boundary && haveCommonText([...pattern.slice(0, -1), `${pattern.at(-1)} `, ""], texts))

// Two texts with gaps have a text in common unless their ends contradict each
// other: between them, each one's gaps have room for all of the other.
const haveCommonText = (pattern: Wildcard, { pieces, wordsNext }: CommandTexts): boolean => {
  const [head, tail] = [pattern[0] ?? "", pattern.at(-1) ?? ""]
  const [start, end] = [pieces[0] ?? "", pieces.at(-1) ?? ""]
  if (head.length > start.length && (!head.startsWith(start) || (wordsNext && head[start.length] !== " "))) return false
  if (pattern.length === 1) return matchPieces(pieces, head)
  return (head.length > start.length || start.startsWith(head)) && (tail.endsWith(end) || end.endsWith(tail))
}
