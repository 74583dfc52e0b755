/**
 * Text of a foreign program, made fit to be shown.
 *
 * @since 0.1.0
 */

/**
 * Takes out what a terminal would obey: escape sequences, control characters
 * other than line ends and tabs, and the marks that turn the direction of text.
 *
 * @category formatting
 * @since 0.1.0
 */
export const printable = (text: string): string =>
  text
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")

/**
 * Cuts a text to a number of characters, never through the middle of one, and
 * says how much was left out.
 *
 * @category formatting
 * @since 0.1.0
 */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const unit = text.charCodeAt(most - 1)
  const end = unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}
