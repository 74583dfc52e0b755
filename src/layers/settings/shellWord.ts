/**
 * A word as a shell takes it.
 *
 * @since 0.1.0
 */

/**
 * Quotes a word for a shell where that is needed.
 *
 * **Example** (Quoting what has a blank)
 *
 * ```ts
 * import { shellWord } from "toolgate/layers/settings/shellWord"
 *
 * shellWord("/my work") // => "'/my work'"
 * shellWord("/work") // => "/work"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`
