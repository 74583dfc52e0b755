/**
 * Lays out help for a terminal of any width.
 *
 * @since 0.1.0
 */
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import { wrapWords } from "./wrapWords.ts"

/**
 * Renders the help of a command, no wider than `columns`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const helpText = (
  doc: HelpDoc,
  options: { readonly colors: boolean; readonly columns: number }
): string => {
  const width = Math.min(Math.max(options.columns, 40), 100) - 1
  const paint = (code: number, text: string) => options.colors ? `\u001B[${code}m${text}\u001B[0m` : text

  const section = (title: string, entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
    if (entries.length === 0) return []
    const column = Math.min(Math.max(...entries.map(({ left }) => left.length)) + 4, 30)
    const rows = entries.flatMap(({ left, right }) => {
      const [first = "", ...rest] = wrapWords(right, width - column)
      const beside = left.length + 3 < column
      return [
        `  ${paint(36, left)}${beside ? `${" ".repeat(column - left.length - 2)}${first}` : ""}`,
        ...(beside ? rest : [first, ...rest]).map((row) => `${" ".repeat(column)}${row}`)
      ]
    })
    return [paint(1, title), ...rows, ""]
  }

  const examples = (doc.examples ?? []).flatMap(({ command, description }) => [
    ...wrapWords(description ?? "", width - 4).map((row) => `  ${paint(2, `# ${row}`)}`),
    `  ${command}`
  ])

  return [
    ...wrapWords(doc.description, width),
    "",
    `${paint(1, "Usage:")} ${doc.usage}`,
    "",
    ...section("Arguments", (doc.args ?? []).map(toEntry)),
    ...(doc.subcommands ?? []).flatMap(({ commands, group }) =>
      section(
        group ?? "Commands",
        commands.map((command) => ({
          left: command.name,
          right: command.shortDescription ?? command.description
        }))
      )
    ),
    ...section("Flags", doc.flags.map(toFlagEntry)),
    ...section("Flags of every command", (doc.inheritedFlags ?? []).map(toFlagEntry)),
    ...section("Other flags", (doc.globalFlags ?? []).map(toFlagEntry)),
    ...(examples.length === 0 ? [] : [paint(1, "Examples"), ...examples, ""])
  ].join("\n")
}

interface Entry {
  readonly left: string
  readonly right: string
}

const toEntry = (argument: NonNullable<HelpDoc["args"]>[number]): Entry => ({
  left: argument.name.toUpperCase(),
  right: Option.getOrElse(argument.description, () => "")
})

const toFlagEntry = (flag: FlagDoc): Entry => ({
  left: [`--${flag.name}`, ...flag.aliases.filter((alias) => !alias.startsWith("--"))].join(", ")
    + (flag.type === "boolean" ? "" : ` ${flag.type}`),
  right: Option.getOrElse(flag.description, () => "").replace(/ \(choices: (.*)\)$/, ": $1")
})
