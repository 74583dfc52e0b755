/**
 * Reads one permission rule as it is written in a settings file.
 *
 * What can't be read as written costs an allow rule. A deny or ask rule is kept
 * where a stricter reading is plain, with the problem said aloud.
 *
 * @since 0.1.0
 */
import { nearest } from "../../domain/nearest.ts"
import type { Behavior, Pattern, RuleSource } from "../../domain/Rule.ts"
import { canonicalName, goneTools, toolAliases, toolNames } from "../../domain/toolNames.ts"
import { readSpecifier } from "./readSpecifier.ts"
import { loss, type RuleProblem, warning } from "./RuleProblem.ts"
import { type RuleParts, splitRule } from "./splitRule.ts"

/**
 * What a rule's text says. Without a pattern the rule is lost.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParsedRule {
  readonly pattern?: Pattern
  readonly problems: ReadonlyArray<RuleProblem>
}

/**
 * What reading a rule depends on beside its text. `known` names further tools,
 * such as an application's own.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParseOptions {
  readonly behavior: Behavior
  readonly source: RuleSource
  readonly known?: ReadonlySet<string>
}

/**
 * Reads a rule; any text at all gives an answer.
 *
 * **Example** (Reading a rule)
 *
 * ```ts
 * import { parseRule } from "toolgate/permission/rule/parseRule"
 *
 * const parsed = parseRule("Bash(git log:*)", { behavior: "allow", source: "userSettings" })
 * parsed.pattern?.specifier // => { _tag: "Command", pieces: ["git log"], boundary: true }
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const parseRule = (text: string, options: ParseOptions): ParsedRule => {
  const { behavior, source } = options
  const parts = splitRule(text)
  const nameProblems = badName(parts, options)
  if (nameProblems.some(({ lost }) => lost)) return { problems: nameProblems.map(({ problem }) => problem) }

  const tool = canonicalName(parts.tool)
  const problems = [...nameProblems.map(({ problem }) => problem), ...badEnd(text, parts, behavior)]
  if (behavior === "allow" && (!parts.closed || parts.rest.length > 0)) return { problems }
  if (parts.content === undefined) return { pattern: { tool: tool.split("*"), specifier: { _tag: "Any" } }, problems }

  const read = readSpecifier(parts.content, { tool, behavior, source, offset: parts.contentAt })
  problems.push(...read.problems)
  if (read.specifier === undefined) return { problems }
  return { pattern: { tool: (read.tool ?? tool).split(/\*+/), specifier: read.specifier }, problems }
}

interface NameProblem {
  readonly problem: RuleProblem
  readonly lost: boolean
}

const badName = (
  { content, tool }: RuleParts,
  { behavior, known = new Set() }: ParseOptions
): ReadonlyArray<NameProblem> => {
  const lost = (message: string, meant?: string) => [{ problem: loss(behavior, message, 0, meant), lost: true }]
  const kept = (message: string, meant?: string) => [{ problem: warning(message, 0, meant), lost: false }]
  const inside = content === undefined ? "" : `(${content})`

  if (tool.length === 0) return lost("the rule names no tool")
  const colon = /^([A-Za-z]+):(.+)$/s.exec(tool)
  if (colon !== null && content === undefined && toolNames.has(canonicalName(colon[1] ?? ""))) {
    return lost("what a rule is about stands in parentheses", `${colon[1]}(${colon[2]})`)
  }
  if (tool.includes("*")) {
    return behavior === "allow" && !/^mcp__(?:(?!__)[^*])+__/.test(tool)
      ? lost("an allow rule names its tool, or a server as in `mcp__server__*`, before any `*`")
      : ofServer(tool, inside)
  }
  const meant = (): string | undefined => {
    const near = nearest(tool, [...toolNames, ...toolAliases.keys(), ...known], 1)[0]
    return near === undefined ? undefined : `${near}${inside}`
  }
  if (toolNames.has(tool)) return []
  // To make an expression about the letters of every script takes as long as to read a hundred rules.
  if (/^mcp__[\w.:@/ -]+$/.test(tool) || /^mcp__[\p{L}\p{N}_.:@/ -]+$/u.test(tool)) return ofServer(tool, inside)
  if (!/^[\w.-]+$/.test(tool) && !/^[\p{L}\p{N}_.-]+$/u.test(tool)) {
    return lost(`\`${shown(tool)}\` is no tool's name`, meant())
  }
  if (tool === "Task" || tool.includes("_") || known.has(tool)) return []

  const renamed = toolAliases.get(tool)
  if (renamed !== undefined) return kept(`\`${tool}\` is called \`${renamed}\` now`, `${renamed}${inside}`)
  const successor = goneTools.get(tool)
  if (successor !== undefined) {
    return content === undefined || tool !== "MultiEdit"
      ? kept(`the tool \`${tool}\` is gone; \`${successor}\` does its work`, `${successor}${inside}`)
      : []
  }
  return kept(`no tool is known by the name \`${shown(tool)}\``, meant())
}

/** Servers and their tools may have names that no model could be given. */
const ofServer = (tool: string, inside: string): ReadonlyArray<NameProblem> => {
  const known = canonicalName(tool)
  return !tool.startsWith("mcp__") || known === tool ? [] : [{
    problem: warning(`models know it as \`${shown(known)}\``, 0, `${known}${inside}`),
    lost: false
  }]
}

const badEnd = (text: string, parts: RuleParts, behavior: Behavior): ReadonlyArray<RuleProblem> => {
  if (!parts.closed) return [loss(behavior, "the closing parenthesis is missing", text.length, `${text})`)]
  if (parts.rest.length > 0) {
    const message = `\`${shown(parts.rest)}\` after the closing parenthesis belongs to no rule`
    return [loss(behavior, message, parts.restAt, text.slice(0, parts.restAt))]
  }
  const open = neverClosed(parts.content ?? "")
  if (open !== undefined) {
    return [warning("a parenthesis opens here and never closes, so that no command matches", parts.contentAt + open)]
  }
  const early = behavior === "allow" ? undefined : closesEarly(parts.content ?? "")
  if (early === undefined) return []
  const message = "a parenthesis closes here, yet the rule goes on to the last one"
  return [warning(message, parts.contentAt + early, text.slice(0, parts.contentAt + early + 1))]
}

const closesEarly = (content: string): number | undefined => {
  let depth = 0
  for (const { index, token } of parentheses(content)) {
    if (token === "(") depth++
    else if (--depth < 0) return index
  }
  return undefined
}

const neverClosed = (content: string): number | undefined => {
  const open: Array<number> = []
  for (const { index, token } of parentheses(content)) {
    if (token === "(") open.push(index)
    else open.pop()
  }
  return open[0]
}

/** Parentheses that are neither escaped nor quoted. */
const parentheses = (content: string): ReadonlyArray<{ readonly index: number; readonly token: string }> =>
  [...content.matchAll(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|[()]/g)].flatMap(({ 0: token, index }) =>
    token === "(" || token === ")" ? [{ index, token }] : []
  )

const shown = (text: string): string => text.length > 60 ? `${text.slice(0, 60)}…` : text
