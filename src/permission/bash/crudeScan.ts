/**
 * Finds whatever could be a command in a text that no parser understands, by
 * looking at every place where one could begin. It sees too many rather than
 * too few, so that what is denied stays denied.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { certainWord } from "./WordDraft.ts"

const separators = /[;&|()`\n\r{}<>]+/
const leading =
  /^(?:(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|time|coproc|!|\w+\+?=\S*)\s+)+/

/**
 * Returns the words of each possible command. Quotes and backslashes are taken
 * away without asking what they protect.
 *
 * @category scanning
 * @since 0.1.0
 */
export const crudeScan = (source: string): ReadonlyArray<ReadonlyArray<Word>> => readings(source).flatMap(pieces)

// A backslash before a newline joins two lines, or it doesn't, or it doesn't only in a comment.
const readings = (source: string): ReadonlyArray<string> =>
  source.includes("\\\n")
    ? [
      source.replaceAll("\\\n", ""),
      source.replaceAll("\\\n", "\n"),
      source.replace(/(^|[\s;&|()])#[^\n]*/g, "$1").replaceAll("\\\n", "")
    ]
    : [source]

const pieces = (source: string): ReadonlyArray<ReadonlyArray<Word>> =>
  source.split(separators).flatMap((piece) => {
    const bare = piece.replace(/['"\\$]+/g, "").trim()
    const text = bare.replace(leading, "")
    return (text === bare ? [bare] : [text, bare])
      .map((each) =>
        each.split(/[\s\u0000-\u001f]+/).filter((word) => word !== "").map((word) => certainWord(word, word))
      )
      .filter((words) => words.length > 0)
  })
