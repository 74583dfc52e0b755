/**
 * Reads what stands in the parentheses of a rule for a shell.
 *
 * @since 0.1.0
 */
import { readPieces } from "./pieces.ts"
import { isAnything, readBoundary } from "./readBoundary.ts"
import type { Reader } from "./Reader.ts"
import { loss, type RuleProblem, warning } from "./RuleProblem.ts"

/**
 * Reads a command pattern, or a description for the classifier.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readCommand: Reader = (content, { behavior, offset, tool }) => {
  const prompt = /^\s*prompt\s*:(?!\*+$)/.exec(content)
  if (tool === "Bash" && prompt !== null) {
    const text = content.slice(prompt[0].length).trim()
    if (text.length > 0) return { specifier: { _tag: "Description", text: readPieces(text).join("*") }, problems: [] }
    return { specifier: undefined, problems: [loss(behavior, "the description after `prompt:` is empty", offset)] }
  }
  const { boundary, pieces } = readBoundary(content, "colon")
  if (content.trim() === ":*") {
    const problem = loss(behavior, "nothing stands before `:*`", offset, tool)
    return { specifier: behavior === "allow" ? undefined : { _tag: "Any" }, problems: [problem] }
  }
  if (isAnything(pieces, boundary)) return { specifier: { _tag: "Any" }, problems: [] }
  return { specifier: { _tag: "Command", pieces, boundary }, problems: inertParts(content, tool, offset) }
}

const worthALook =
  /[&|;]|:\*[ \t]|^\s*(?:[{}!]|do|done|then|else|elif|fi|esac|if|for|while|until|case|select|in)(?=[\s*;:]|$)/

const inertParts = (content: string, tool: string, offset: number): ReadonlyArray<RuleProblem> => {
  if (!worthALook.test(content)) return []
  const problems: Array<RuleProblem> = []
  const bare = blankQuoted(content)
  const colon = /:\*[ \t]+\S/.exec(bare)
  if (colon !== null) {
    const meant = `${tool}(${content.slice(0, colon.index)} *${content.slice(colon.index + 2)})`
    problems.push(warning("`:*` is a prefix only at the end; here the colon means itself", offset + colon.index, meant))
  }
  const operator = /&&|\|\|?|;|&(?=\s)/.exec(bare)
  if (operator !== null && /\*/.test(bare) && tool !== "PowerShell") {
    const message = `a pattern is held against one command at a time, so nothing matches across \`${operator[0]}\``
    problems.push(warning(message, offset + operator.index))
  }
  const keyword = /^\s*(done|do|then|else|elif|fi|esac|if|for|while|until|case|select|in|\{|\}|!)(?=[\s*;:]|$)/.exec(
    bare
  )
  if (keyword !== null && tool !== "PowerShell") {
    const message = `\`${keyword[1] ?? ""}\` is a word of the shell's own grammar, no command, so nothing matches`
    problems.push(warning(message, offset))
  }
  return problems
}

// Positions stay as they are, so that what is found can be pointed at.
const blankQuoted = (text: string): string =>
  text.replace(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g, (quoted) => "\u0000".repeat(quoted.length))
