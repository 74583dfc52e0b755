/**
 * How the command line shows its help, and what it says to flags and arguments
 * that it can't use: one line, never a page.
 *
 * @since 0.1.0
 */
import type * as CliError from "effect/cli/CliError"
import type { Presenter } from "effect/cli/CliOutput"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { nearest } from "../domain/nearest.ts"
import { helpText } from "./helpText.ts"
import { line, oneLine } from "./line.ts"
import * as write from "./write.ts"

/**
 * Presents help on standard output, and a wrong invocation as one line on
 * standard error.
 *
 * @category presenters
 * @since 0.1.0
 */
export const presenter: Presenter = {
  present: Effect.fnUntraced(function*(event) {
    const { canColor } = yield* TerminalCapabilities
    switch (event._tag) {
      case "Help":
        return yield* event.reason === "Requested"
          ? write.out(helpText(event.helpDoc, { colors: canColor, columns: write.columns() ?? 80 }))
          : write.err(line(`a command is missing; see \`${event.commandPath.join(" ")} --help\``))
      case "InvalidInvocation": {
        const [first, ...others] = event.errors
        const more = others.length === 0 ? "" : ` (and ${others.length} more of the kind)`
        const problem = first === undefined ? "that can't be used" : problemOf(first, event.helpDoc)
        return yield* write.err(line(`${problem}${more}; see \`${event.commandPath.join(" ")} --help\``))
      }
      case "Version":
        return yield* write.out(`${event.name} ${event.version}\n`)
    }
  })
}

const problemOf = (error: CliError.NonShowHelpErrors, help: HelpDoc): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `no flag is named \`${brief(error.option)}\`${meant(nearestFlags(error.option, help))}`
    case "UnknownSubcommand":
      return `no command is named \`${brief(error.subcommand)}\`${meant(error.suggestions)}`
    case "MissingOption":
      return `\`--${error.option}\` is missing`
    case "MissingArgument":
      return `\`${error.argument.toUpperCase()}\` is missing`
    case "UnexpectedArgument":
      return `\`${brief(error.arguments[0] ?? "")}\` is one argument too many, quote what belongs together`
    case "InvalidValue": {
      const name = error.kind === "flag" ? `--${error.option}` : error.option.toUpperCase()
      if (error.kind === "flag" && error.value === "") return `\`${name}\` needs a value: ${expectedOf(error.expected)}`
      if (/^\d+ occurrences$/.test(error.value)) return `\`${name}\` may be given only once`
      return `\`${name}\` can't be \`${brief(error.value)}\`: ${expectedOf(error.expected)}`
    }
    default:
      return oneLine(error.message)
  }
}

/** The flags that could have been meant, those of the parents too. One letter is near to every other. */
const nearestFlags = (option: string, { flags, globalFlags = [], inheritedFlags = [] }: HelpDoc) =>
  option.startsWith("--")
    ? nearest(option, [...flags, ...inheritedFlags, ...globalFlags].map(({ name }) => `--${name}`))
    : []

/** Enough of what somebody typed to find it again; the rest may be long or nobody else's business. */
const brief = (text: string): string => oneLine(text, 60)

const meant = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `, did you mean ${names.map((name) => `\`${name}\``).join(" or ")}?`

const expectedOf = (expected: string): string => {
  const text = oneLine(expected).replace(/^Expected:? /, "")
  if (text in numbers) return `expected is ${numbers[text]}`
  if (/^"[^"]*"(?: \| "[^"]*")+$/.test(text)) {
    return `expected is one of ${text.replaceAll("\"", "").replaceAll(" | ", ", ")}`
  }
  // The library names the path once more behind the reason.
  return /^Path (.*): \//.exec(text)?.[1]?.replace(/^is/, "it is").replace(/^does/, "it does") ?? text
}

/** What the library calls them is for programmers. */
const numbers: { readonly [expected: string]: string } = {
  "a string representing a finite number": "a number",
  "an integer": "a whole number"
}
