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
  const visible = text.toWellFormed().replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => escapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  return `\`${visible.length > longest ? `${visible.slice(0, longest).toWellFormed()}…` : visible}\``
}

const longest = 300

const escapes: ReadonlyMap<string, string> = new Map([["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]])
