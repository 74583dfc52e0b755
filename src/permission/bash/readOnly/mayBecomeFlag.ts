/**
 * Whether running could turn a word into a flag that nobody can read before.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"

/**
 * True when the word, or one of the words that it becomes, may begin with a
 * dash although nothing written tells.
 *
 * **Details**
 *
 * A glob with a known beginning (`./*`, `src/*.ts`) is safe: all that it finds
 * begins so. An unquoted expansion is not, whatever stands before it, since it
 * may become several words (`a$x`).
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayBecomeFlag = (word: Word): boolean =>
  word.value === undefined && !isPipe(word) &&
  (!keepsBeginning(word) || (word.known[0] === "" && word.tilde !== true))

/**
 * True for `<(…)` and `>(…)`, which the shell turns into the path of a pipe.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isPipe = (word: Word): boolean =>
  word.value === undefined && !word.splits && /^[<>]\(/.test(word.source) && word.known.join("") === ""

/**
 * True when the word may become several words or none where it stands.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayBecomeMany = (word: Word): boolean => word.value === undefined && word.splits

/**
 * True when every word that this one becomes begins with what is known of its
 * beginning: globs and braces keep it, unquoted expansions do not.
 *
 * @category predicates
 * @since 0.1.0
 */
export const keepsBeginning = (word: Word): boolean => !mayBecomeMany(word) || /^[^$`]+$/.test(word.source)
