/**
 * A shell line as a model gets to see it: what it would do, and nothing that it
 * says.
 *
 * @since 0.1.0
 */
import type { ShellLine, SimpleCommand, Word } from "../../domain/ShellCommand.ts"

/**
 * One command as it is shown.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShownCommand {
  readonly words: ReadonlyArray<string>
  readonly sets?: ReadonlyArray<string>
  readonly reads?: ReadonlyArray<string>
  readonly writes?: ReadonlyArray<string>
}

/**
 * The commands of a line, those that hide in others included, or nothing where
 * the line can't be shown: it is not fully understood, starts nothing, is too
 * long, or speaks to whoever judges it.
 *
 * **Details**
 *
 * INVARIANT: text in a command has no way to whoever reads this. Comments and
 * here-documents are gone; what is quoted and has blanks, what is long, and what
 * is not plain ASCII stands as `<text>`, whatever it says; so do the words of
 * commands that only print. Names that are left are looked through for the words
 * that one would need to talk somebody round.
 *
 * @category formatting
 * @since 0.1.0
 */
export const showCommands = (line: ShellLine): ReadonlyArray<ShownCommand> | undefined => {
  if (line.refused !== undefined) return undefined
  const commands = flat(line.commands)
  if (commands.length === 0 || commands.length > 50) return undefined
  const shown = commands.map(show)
  return shown.some(speaks) ? undefined : shown
}

const flat = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<SimpleCommand> =>
  commands.flatMap((command) => [command, ...flat(command.inner)])

const show = ({ assignments, redirects, words }: SimpleCommand): ShownCommand => {
  const [program, ...rest] = words.map(showWord)
  const sets = assignments.map(({ name, value }) => `${name}=${showWord(value)}`)
  const reads = redirects.filter(({ access }) => access !== "write").map(({ target }) => showWord(target))
  const writes = redirects.filter(({ access }) => access !== "read").map(({ target }) => showWord(target))
  return {
    words: program === undefined ? [] : printers.has(program) ? [program, text] : [program, ...rest],
    ...(sets.length === 0 ? {} : { sets }),
    ...(reads.length === 0 ? {} : { reads }),
    ...(writes.length === 0 ? {} : { writes })
  }
}

const text = "<text>"

const printers: ReadonlySet<string> = new Set(["echo", "printf", ":", "true", "false"])

const showWord = (word: Word): string => {
  const said = word.known.join("<unknown>")
  return word.known.some((piece) => /[^\x21-\x7e]/.test(piece)) || said.length > 200 ? text : said
}

const speaks = ({ reads = [], sets = [], words, writes = [] }: ShownCommand): boolean => {
  const found = new Set(
    [...words, ...sets, ...reads, ...writes]
      .flatMap((word) => word.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase().split(/[^a-z]+/))
      .filter((word) => telling.has(word))
  )
  return found.size > 1
}

const telling: ReadonlySet<string> = new Set([
  "above",
  "allow",
  "allowed",
  "allows",
  "answer",
  "approve",
  "approved",
  "assistant",
  "classifier",
  "classify",
  "confidence",
  "confident",
  "description",
  "descriptions",
  "disregard",
  "forget",
  "harmless",
  "high",
  "human",
  "ignore",
  "index",
  "instruction",
  "instructions",
  "judge",
  "match",
  "matches",
  "model",
  "obey",
  "override",
  "permit",
  "permitted",
  "please",
  "previous",
  "prompt",
  "reply",
  "respond",
  "response",
  "safe",
  "system",
  "trusted",
  "user",
  "verdict",
  "you",
  "your"
])
