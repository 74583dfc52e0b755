/**
 * Rules arranged so that a decision looks only at those that could have a say:
 * by tool, and for commands by their first word.
 *
 * @since 0.1.0
 */
import type { Policy } from "../domain/Policy.ts"
import type { Rule } from "../domain/Rule.ts"
import { programOf } from "./rule/compileCommand.ts"
import { matchTool } from "./rule/matchTool.ts"

/**
 * The rules of a policy, arranged.
 *
 * @category models
 * @since 0.1.0
 */
export interface RuleIndex {
  /** Rules for a tool that are not about a command's words. */
  readonly forTool: (tool: string, server?: string) => ReadonlyArray<Rule>
  /** Rules for commands that may begin with one of these words; all of them when a word is not known. */
  readonly forCommand: (tool: string, first: ReadonlyArray<string | undefined>) => ReadonlyArray<Rule>
  /** Whether some rule could deny or ask about commands or files. */
  readonly restrictsShell: boolean
}

/**
 * Returns the index of a policy, made once for each policy.
 *
 * @category constructors
 * @since 0.1.0
 */
export const indexOf = (policy: Policy): RuleIndex => {
  const known = indexes.get(policy)
  if (known !== undefined) return known
  const made = make(policy.rules)
  indexes.set(policy, made)
  return made
}

const indexes = new WeakMap<Policy, RuleIndex>()

interface Bucket {
  readonly rest: Array<Rule>
  readonly byFirstWord: Map<string, Array<Rule>>
  readonly loose: Array<Rule>
}

/**
 * Arranges rules.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (rules: ReadonlyArray<Rule>): RuleIndex => {
  const byTool = new Map<string, Bucket>()
  const globs: Array<Rule> = []
  for (const rule of rules) {
    const [name, ...gaps] = rule.pattern.tool
    if (name === undefined) continue
    if (gaps.length > 0 || name.startsWith("mcp__")) {
      globs.push(rule)
      continue
    }
    const bucket = byTool.get(name) ?? { rest: [], byFirstWord: new Map(), loose: [] }
    byTool.set(name, bucket)
    place(bucket, rule)
  }

  const memo = new Map<string, ReadonlyArray<Rule>>()
  const forTool = (tool: string, server?: string): ReadonlyArray<Rule> => {
    const key = server === undefined ? tool : `${tool} ${server}`
    const known = memo.get(key)
    if (known !== undefined) return known
    const found = [
      ...byTool.get(tool)?.rest ?? [],
      ...globs.filter((rule) => matchTool(rule.pattern.tool, tool, server))
    ]
    if (memo.size < 1_000) memo.set(key, found)
    return found
  }
  return {
    forTool,
    forCommand: (tool, first) => {
      const bucket = byTool.get(tool)
      if (bucket === undefined) return []
      if (first.includes(undefined)) return [...[...bucket.byFirstWord.values()].flat(), ...bucket.loose]
      return [...new Set(first)].flatMap((word) => bucket.byFirstWord.get(word ?? "") ?? []).concat(bucket.loose)
    },
    restrictsShell: rules.some(({ behavior, pattern }) =>
      behavior !== "allow" && ["Bash", "Read", "Edit", "Write"].some((tool) => matchTool(pattern.tool, tool))
    )
  }
}

const place = (bucket: Bucket, rule: Rule): void => {
  const { specifier } = rule.pattern
  if (specifier._tag !== "Command") {
    bucket.rest.push(rule)
    return
  }
  const word = programOf(specifier)
  if (word === undefined) {
    bucket.loose.push(rule)
    return
  }
  const rules = bucket.byFirstWord.get(word)
  if (rules === undefined) bucket.byFirstWord.set(word, [rule])
  else rules.push(rule)
}
