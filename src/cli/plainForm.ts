/**
 * Command lines that are read without the parser of the command line, which
 * takes longer to load than a decision takes to make.
 *
 * @since 0.1.0
 */

/**
 * A command line that has nothing but its arguments.
 *
 * @category models
 * @since 0.1.0
 */
export type PlainForm =
  | { readonly command: "check"; readonly tool: string; readonly input: string; readonly json: boolean }
  | { readonly command: "hook" }

/**
 * Reads `check TOOL INPUT`, the same with `--json` behind it, and `hook`.
 * Anything else is undefined, and for the parser to read: it alone knows flags,
 * help and what is wrong.
 *
 * @category parsing
 * @since 0.1.0
 */
export const plainForm = (args: ReadonlyArray<string>): PlainForm | undefined => {
  const [command, tool, input, form, ...more] = args
  if (command === "hook" && args.length === 1) return { command }
  if (command !== "check" || more.length > 0 || (form !== undefined && form !== "--json")) return undefined
  if (!isArgument(tool) || !isArgument(input)) return undefined
  return { command, tool, input, json: form === "--json" }
}

const isArgument = (text: string | undefined): text is string =>
  text !== undefined && text !== "" && (text === "-" || !text.startsWith("-"))
