import type { SimpleCommand, Word } from "../../../../src/domain/ShellCommand.ts"

/**
 * Makes a command of words written apart by blanks, without a shell's reader:
 * `'…'` is one plain word, `$x` an unquoted and `"$x"` a quoted expansion, and
 * `*` a glob.
 */
export const commandOf = (line: string): SimpleCommand => ({
  words: (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(wordOf),
  assignments: [],
  redirects: [],
  source: line,
  directory: ".",
  carrier: undefined,
  inner: [],
  transparent: false,
  exactOnly: false
})

/** Makes one word. */
const wordOf = (source: string): Word => {
  const quoted = source.startsWith("'")
  const text = quoted ? source.slice(1, -1) : source.replaceAll("\"", "")
  const [head = "", ...rest] = quoted ? [text] : text.split(/\$\w+|\*/)
  const glob = !quoted && !source.includes("\"") && source.includes("*")
  return {
    source,
    known: [head, ...rest],
    value: rest.length === 0 ? head : undefined,
    splits: rest.length > 0 && !source.includes("\""),
    glob,
    tilde: source.startsWith("~")
  }
}
