/**
 * Words for tests, made from text in which `…` stands for something unknown.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../src/domain/ShellCommand.ts"

/** Makes a word as if it stood between the quotes given. */
export const word = (text: string, quote = ""): Word => {
  const [first = "", ...rest] = text.split("…")
  return {
    source: `${quote}${text.replaceAll("…", "$x")}${quote}`,
    known: [first, ...rest],
    value: rest.length === 0 ? first : undefined,
    splits: rest.length > 0 && quote === "",
    glob: false
  }
}

/** Makes words from a line with blanks between them and no quotes. */
export const words = (line: string): ReadonlyArray<Word> => line.split(" ").map((text) => word(text))
