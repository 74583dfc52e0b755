/**
 * Takes the text of a rule apart at its parentheses.
 *
 * @since 0.1.0
 */

/**
 * The parts of a rule's text.
 *
 * **Details**
 *
 * `content` is what stands between the first opening and the last closing
 * parenthesis, undefined for a bare name; `rest` is what follows. `closed` is
 * false when the closing one is missing: `content` then reaches to the end.
 *
 * @category models
 * @since 0.1.0
 */
export interface RuleParts {
  readonly tool: string
  readonly content: string | undefined
  readonly contentAt: number
  readonly closed: boolean
  readonly rest: string
  readonly restAt: number
}

/**
 * Takes a rule apart.
 *
 * **Details**
 *
 * A parenthesis with a backslash before it closes nothing, unless the rule ends
 * with it and has no other.
 *
 * @category decoding
 * @since 0.1.0
 */
export const splitRule = (text: string): RuleParts => {
  const open = text.indexOf("(")
  if (open < 0) {
    return {
      tool: text.trim(),
      content: undefined,
      contentAt: text.length,
      closed: true,
      rest: "",
      restAt: text.length
    }
  }
  const tool = text.slice(0, open).trim()
  const contentAt = open + 1
  const close = lastClosing(text, open)
  if (close < 0) {
    return { tool, content: text.slice(contentAt), contentAt, closed: false, rest: "", restAt: text.length }
  }
  const rest = text.slice(close + 1)
  return { tool, content: text.slice(contentAt, close), contentAt, closed: true, rest: rest.trim(), restAt: close + 1 }
}

const lastClosing = (text: string, open: number): number => {
  for (let close = text.lastIndexOf(")"); close > open; close = text.lastIndexOf(")", close - 1)) {
    let slashes = 0
    while (close - 1 - slashes > open && text.charCodeAt(close - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return close
  }
  const end = text.trimEnd().length - 1
  return end > open && text[end] === ")" ? end : -1
}
