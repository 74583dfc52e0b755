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
import { listsOf } from "./ruleLists.ts"

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
  /** Rules that deny or ask about paths. */
  readonly restrictingPaths: ReadonlyArray<Rule>
}

/**
 * Returns the index of a policy, made once for each policy.
 *
 * **Details**
 *
 * Each list that the rules were put together from is arranged once for as long as
 * it is the same: a rule that is granted costs as much as there are rules beside
 * it in its own list.
 *
 * @category constructors
 * @since 0.1.0
 */
export const indexOf = (policy: Policy): RuleIndex => {
  const known = indexes.get(policy)
  if (known !== undefined) return known
  const made = make(listsOf(policy.rules).map(arrangedOf))
  indexes.set(policy, made)
  return made
}

const indexes = new WeakMap<Policy, RuleIndex>()

const make = (lists: ReadonlyArray<Arranged>): RuleIndex => {
  const ofTool = remembering()
  const ofAnyCommand = remembering()
  const forCommand = (tool: string, first: ReadonlyArray<string | undefined>): ReadonlyArray<Rule> => {
    const buckets = lists.flatMap(({ byTool }) => byTool.get(tool) ?? [])
    const words = first.includes(undefined)
      ? buckets.flatMap(({ byFirstWord }) => [...byFirstWord.values()].flat())
      : [...new Set(first)].flatMap((word) => buckets.flatMap(({ byFirstWord }) => byFirstWord.get(word ?? "") ?? []))
    return words.concat(...buckets.map(({ loose }) => loose))
  }
  return {
    forTool: (tool, server) =>
      ofTool(server === undefined ? tool : `${tool} ${server}`, () => [
        ...lists.flatMap(({ byTool }) => byTool.get(tool)?.rest ?? []),
        ...lists.flatMap(({ globs }) => globs.filter((rule) => matchTool(rule.pattern.tool, tool, server)))
      ]),
    forCommand: (tool, first) =>
      first.includes(undefined) ? ofAnyCommand(tool, () => forCommand(tool, first)) : forCommand(tool, first),
    restrictsShell: lists.some(({ restrictsShell }) => restrictsShell),
    restrictingPaths: lists.flatMap(({ restrictingPaths }) => restrictingPaths)
  }
}

/** Finds once what is found by name. Names may be made up without end; what is kept may not be. */
const remembering = () => {
  const known = new Map<string, ReadonlyArray<Rule>>()
  return (name: string, find: () => ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
    const before = known.get(name)
    if (before !== undefined) return before
    const found = find()
    if (known.size < 1_000) known.set(name, found)
    return found
  }
}

/** One list, arranged. */
interface Arranged extends Pick<RuleIndex, "restrictingPaths" | "restrictsShell"> {
  readonly byTool: ReadonlyMap<string, Bucket>
  readonly globs: ReadonlyArray<Rule>
}

interface Bucket {
  readonly rest: Array<Rule>
  readonly byFirstWord: Map<string, Array<Rule>>
  readonly loose: Array<Rule>
}

const arrangedOf = (rules: ReadonlyArray<Rule>): Arranged => {
  const known = lists.get(rules)
  if (known !== undefined) return known
  const made = arrange(rules)
  lists.set(rules, made)
  return made
}

const lists = new WeakMap<ReadonlyArray<Rule>, Arranged>()

const arrange = (rules: ReadonlyArray<Rule>): Arranged => {
  const byTool = new Map<string, Bucket>()
  const globs: Array<Rule> = []
  for (const rule of rules) {
    const { tool } = rule.pattern
    const [name] = tool
    if (name === undefined) continue
    if (tool.length > 1 || name.startsWith("mcp__")) {
      globs.push(rule)
      continue
    }
    const bucket = byTool.get(name) ?? { rest: [], byFirstWord: new Map(), loose: [] }
    byTool.set(name, bucket)
    place(bucket, rule)
  }
  const restricting = rules.filter(({ behavior }) => behavior !== "allow")
  return {
    byTool,
    globs,
    restrictsShell: restricting.some(({ pattern }) =>
      ["Bash", "Read", "Edit", "Write"].some((tool) => matchTool(pattern.tool, tool))
    ),
    restrictingPaths: restricting.filter(({ pattern }) => pattern.specifier._tag === "Path")
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
