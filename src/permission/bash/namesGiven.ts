/**
 * Tells which words of a builtin are names of variables that it assigns.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { gap, wordOf } from "./WordDraft.ts"

/**
 * Returns the words that name a variable, each as it would stand in
 * `NAME=value`; a word that only running tells is among them where it may.
 *
 * @category reading
 * @since 0.1.0
 */
export const namesGiven = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [program, ...rest] = words
  return builtins.get(program?.value ?? "")?.(rest) ?? []
}

interface Given {
  readonly flags: string
  readonly values: ReadonlyMap<string, Word>
  readonly operands: ReadonlyArray<Word>
}

// A cluster ends at a letter that takes a value, the rest of the word or the next one.
const parse = (words: ReadonlyArray<Word>, valued: string): Given => {
  const values = new Map<string, Word>()
  let flags = ""
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]
    const [text = ""] = word?.known ?? []
    if (word === undefined || !/^[-+]./.test(text)) break
    if (word.value === "--") {
      at++
      break
    }
    const end = [...text].findIndex((letter, index) => index > 0 && valued.includes(letter))
    flags += text.slice(1, end < 0 ? undefined : end + 1)
    if (end < 0) continue
    const attached = end + 1 < text.length || word.value === undefined
    const value = attached ? tail(word, end + 1) : words[++at]
    if (value !== undefined) values.set(text.charAt(end), value)
  }
  return { flags, values, operands: words.slice(at) }
}

const tail = (word: Word, from: number): Word => {
  const [first, ...rest] = word.known
  const text = first.slice(from)
  return { ...word, known: [text, ...rest], value: rest.length === 0 ? text : undefined }
}

const declared = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const { flags, operands } = parse(words, "")
  // With `-p` these only print, and with `-f` they are about functions.
  if (/[pfF]/.test(flags)) return []
  // What is then given to a reference is given to the variable that it names.
  return flags.includes("n") ? operands.map(referring) : operands
}

const referring = ({ source }: Word): Word => wordOf(`-n ${source}`, [gap], false)

const exported = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const { flags, operands } = parse(words, "")
  return flags.includes("f") ? [] : operands
}

const read = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const { operands, values } = parse(words, "adiNnptu")
  return [...operands, ...chosen(values, "a")]
}

const printed = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const { operands: [format, ...rest], values } = parse(words, "v")
  // `%n` assigns as well.
  const counts = format !== undefined && /%[-+ #0'*.\d]*[hlLjzt]*n/.test(format.known.join("%").replaceAll("%%", ""))
  return [...chosen(values, "v"), ...(counts ? rest : [])]
}

const filled = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => parse(words, "CcdnOsu").operands.slice(0, 1)

const chosen = (values: ReadonlyMap<string, Word>, letter: string): ReadonlyArray<Word> => {
  const value = values.get(letter)
  return value === undefined ? [] : [value]
}

const builtins = new Map<string, (words: ReadonlyArray<Word>) => ReadonlyArray<Word>>([
  ["declare", declared],
  ["typeset", declared],
  ["local", declared],
  ["export", exported],
  ["readonly", exported],
  ["unset", exported],
  ["read", read],
  ["printf", printed],
  ["mapfile", filled],
  ["readarray", filled],
  ["getopts", (words) => parse(words, "").operands.slice(1, 2)],
  ["wait", (words) => chosen(parse(words, "p").values, "p")]
])
