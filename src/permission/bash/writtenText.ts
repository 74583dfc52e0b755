/**
 * Tells what a command writes to its standard output, where that is plain.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../../domain/ShellCommand.ts"
import { type Input, unknownInput } from "./Line.ts"

/**
 * Returns the text of `echo`, a simple `printf`, or a `cat` of known input.
 *
 * @category reading
 * @since 0.1.0
 */
export const writtenText = (command: SimpleCommand | undefined, input: Input): Input => {
  if (command === undefined || command.redirects.length > 0) return unknownInput
  const values = command.words.map((word) => word.value)
  const words = values.filter((value) => value !== undefined)
  if (words.length < values.length) return unknownInput
  const [name, ...rest] = words
  if (name === "cat") return rest.length === 0 || (rest.length === 1 && rest[0] === "-") ? input : unknownInput
  const text = name === "echo" ? echoed(rest) : name === "printf" ? printed(rest) : undefined
  return text === undefined ? unknownInput : { kind: "text", text }
}

const echoed = (words: ReadonlyArray<string>): string | undefined => {
  const from = words.findIndex((word) => !/^-[neE]+$/.test(word))
  const options = from < 0 ? words : words.slice(0, from)
  const text = from < 0 ? "" : words.slice(from).join(" ")
  // Whether `echo` decodes escapes depends on the shell.
  return text.includes("\\") ? undefined : options.some((option) => option.includes("n")) ? text : `${text}\n`
}

const printed = (words: ReadonlyArray<string>): string | undefined => {
  const [format, ...values] = words[0] === "--" ? words.slice(1) : words
  if (format === undefined || format.startsWith("-")) return undefined
  const plain = format.replaceAll("\\n", "\n").replaceAll("\\t", "\t")
  const places = plain.split("%s")
  if (places.join("").includes("%") || places.join("").includes("\\")) return undefined
  if (places.length === 1) return plain
  const rounds = Math.max(1, Math.ceil(values.length / (places.length - 1)))
  return rounds > 64 ?
    undefined :
    Array.from(
      { length: rounds },
      (_, round) =>
        places.map((text, index) =>
          index === 0 ? text : `${values[round * (places.length - 1) + index - 1] ?? ""}${text}`
        )
          .join("")
    ).join("")
}
