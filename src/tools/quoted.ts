/**
 * How the words of a user or a model are shown inside a sentence of ours.
 *
 * @since 0.1.0
 */

/**
 * Returns a text in backticks, on one line, with control characters made
 * visible and long ones cut.
 *
 * **Example** (Showing a path)
 *
 * ```ts
 * import { quoted } from "toolgate/tools/quoted"
 *
 * quoted("a\nb") // => "`a\\nb`"
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const quoted = (text: string): string => {
  const shown = visible(text)
  return `\`${shown.length > longest ? `${shown.slice(0, longest).toWellFormed()}…` : shown}\``
}

/**
 * Returns a file's name as it is shown in a list: as it is, or in backticks where it
 * holds control characters, so that no name can pass for two.
 *
 * **Example** (A name with a line end)
 *
 * ```ts
 * import { listedName } from "toolgate/tools/quoted"
 *
 * listedName("a\nb") // => "`a\\nb`"
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const listedName = (name: string): string => {
  const shown = visible(name)
  return shown === name ? name : `\`${shown}\``
}

/**
 * Returns the path of a file that was changed in backticks, with where it leads if
 * it is a link, and with what became of the file's other names.
 *
 * @category rendering
 * @since 0.1.0
 */
export const shownPath = (
  { filePath, otherNames = 0, realPath }: {
    readonly filePath: string
    readonly realPath?: string
    readonly otherNames?: number
  }
): string => {
  const also = [
    ...(realPath === undefined ? [] : [`a link to ${quoted(realPath)}`]),
    ...(otherNames === 0
      ? []
      : [`whose ${otherNames === 1 ? "other name keeps" : `${otherNames} other names keep`} the old file`])
  ]
  return also.length === 0 ? quoted(filePath) : `${[quoted(filePath), ...also].join(", ")},`
}

const visible = (text: string): string =>
  text.toWellFormed().replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => escapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const longest = 300

const escapes: ReadonlyMap<string, string> = new Map([["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]])
