/**
 * Rules as a command line gives them.
 *
 * @since 0.1.0
 */

/**
 * Splits the values of a flag such as `--allowedTools` into rules.
 *
 * **Details**
 *
 * A value holds one rule or several, with commas or spaces between them; what
 * stands in parentheses is never split. Quotes around a rule are taken off. A
 * quoted parenthesis, or one after a backslash, opens and closes nothing.
 *
 * **Example** (Splitting one value)
 *
 * ```ts
 * import { splitRules } from "toolgate/layers/settings/splitRules"
 *
 * splitRules(["Edit,Bash(git commit *) Read"]) // => ["Edit", "Bash(git commit *)", "Read"]
 * ```
 *
 * @category parsing
 * @since 0.1.0
 */
export const splitRules = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.flatMap(splitOne)

/**
 * Whether a text looks like a part of a rule that a shell took apart, as it does
 * with `Bash(git log *)` that nobody quoted.
 *
 * @category guards
 * @since 0.1.0
 */
export const looksIncomplete = (rule: string): boolean => depthAfter(rule) !== 0

const splitOne = (value: string): ReadonlyArray<string> => {
  const rules: Array<string> = []
  let current = ""
  let depth = 0
  for (let index = 0; index < value.length; index++) {
    const character = value[index] ?? ""
    if (character === "\\" && index + 1 < value.length) {
      current += character + (value[++index] ?? "")
      continue
    }
    const end = quoteEnd(value, index)
    if (end !== undefined) {
      // Quotes outside of parentheses are the caller's, inside they are the rule's.
      current += depth === 0 ? value.slice(index + 1, end) : value.slice(index, end + 1)
      index = end
      continue
    }
    if (depth === 0 && /[\s,]/.test(character)) {
      if (current !== "") rules.push(current)
      current = ""
      continue
    }
    if (character === "(") depth++
    if (character === ")") depth = Math.max(0, depth - 1)
    current += character
  }
  if (current !== "") rules.push(current)
  return rules
}

// A quote counts where a word begins, so that the apostrophe of `don't` is only that.
const quoteEnd = (value: string, index: number): number | undefined => {
  const quote = value[index]
  if (quote !== "\"" && quote !== "'") return undefined
  if (index > 0 && !/[\s,(=:]/.test(value[index - 1] ?? "")) return undefined
  for (let end = index + 1; end < value.length; end++) {
    if (value[end] === "\\" && quote === "\"") end++
    else if (value[end] === quote) return end
  }
  return undefined
}

const depthAfter = (rule: string): number => {
  let depth = 0
  for (let index = 0; index < rule.length; index++) {
    const character = rule[index]
    const end = quoteEnd(rule, index)
    if (character === "\\") index++
    else if (end !== undefined) index = end
    else if (character === "(") depth++
    else if (character === ")") {
      depth--
      if (depth < 0) return depth
    }
  }
  return depth
}
