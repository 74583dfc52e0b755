/**
 * Text of the user's inside a sentence of ours.
 *
 * @since 0.1.0
 */

/**
 * Returns the text in backticks, on one line, without control characters, and
 * cut when it is long.
 *
 * @category printing
 * @since 0.1.0
 */
export const shown = (text: string): string => {
  const plain = /^[ -~]*$/.test(text) ? text.replace(/ +/g, " ") : text.replace(/[\p{C}\p{Z}]+/gu, " ")
  const points = Array.from(plain)
  return `\`${points.length > 60 ? `${points.slice(0, 59).join("")}…` : plain}\``
}
