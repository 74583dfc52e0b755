/**
 * Prints a word so that the shell hands exactly its text to the program.
 *
 * @since 0.1.0
 */
import type { Word } from "./Shell.ts"

/**
 * Prints a word in the way it asks for, or in single quotes where that way would
 * change its text.
 *
 * @category converting
 * @since 0.1.0
 */
export const printWord = ({ quoting, text }: Word): string => {
  switch (quoting) {
    case "bare":
      return isPlain(text) ? text : singly(text)
    case "single":
      return singly(text)
    case "double":
      return text.includes("!") ? singly(text) : `"${text.replace(/[$`"\\]/g, "\\$&")}"`
    case "escaped":
      return text === "" || text.includes("\n") ? singly(text) : text.replace(/[^\w\d]/g, "\\$&")
    case "ansi":
      return text.includes("\n") ? singly(text) : `$'${text.replace(/[\\']/g, "\\$&").replace(/;/g, "\\x3b")}'`
  }
}

/** Whether a text means itself to the shell without any quoting. */
const isPlain = (text: string): boolean => /^[\w@%+,./:-]+$/.test(text)

const singly = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
