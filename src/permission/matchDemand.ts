/**
 * Compares one rule with one demand.
 *
 * @since 0.1.0
 */
import type { Place } from "../domain/Place.ts"
import type { ResolvedPath } from "../domain/ResolvedPath.ts"
import type { Rule } from "../domain/Rule.ts"
import type { SimpleCommand, Word } from "../domain/ShellCommand.ts"
import { absolute } from "./absolute.ts"
import type { Demand, DemandOf } from "./Demand.ts"
import type { Evidence, Side } from "./Evidence.ts"
import { type Matched, maybe, no, surest, yes } from "./Matched.ts"
import { compilePath } from "./path/compilePath.ts"
import { coversFolder, matchPath } from "./path/matchPath.ts"
import { mayMatchPath } from "./path/mayMatchPath.ts"
import type { PathMatcher } from "./path/PathMatcher.ts"
import { matchCommand } from "./rule/matchCommand.ts"
import { matchDomain } from "./rule/matchDomain.ts"
import { matchName } from "./rule/matchName.ts"
import { matchParameter } from "./rule/matchParameter.ts"

/**
 * Says whether a rule that denies or asks reaches a demand: the loosest sense of
 * "is about this", since what it forbids may hide.
 *
 * @category matching
 * @since 0.1.0
 */
export const reaches = (rule: Rule, demand: Demand, side: Side, evidence: Evidence): Matched => {
  const { specifier } = rule.pattern
  switch (specifier._tag) {
    case "Any":
      return yes("it covers every use of the tool")
    case "Parameter":
      return matchParameter(specifier, side.input) ? yes("the input has this value") : no("the input has another value")
    case "Command":
      return demand._tag === "Command"
        ? surest(
          spellings(demand.command, evidence).map((form) => ofWords(rule, form)),
          "no command of the line matches"
        )
        : unless(demand, "it is about commands")
    case "Path":
      if (demand._tag === "File") return ofFile(rule, demand, evidence)
      if (demand._tag === "Folder") return ofFolder(rule, demand, evidence)
      return unless(demand, "it is about files")
    case "Domain":
      return demand._tag === "Address"
        ? ofAddress(specifier.pattern, demand)
        : unless(demand, "it is about addresses")
    case "Name":
      return demand._tag === "Agent" && matchName(specifier, demand.name) ? yes("the name matches") : no("another name")
    case "Description":
      return no("it is a description for the classifier")
    case "Inert":
      return no("it can never match")
  }
}

/** A tool that says nothing of what it touches may touch anything that rules for a tool of its name are about. */
const unless = (demand: Demand, why: string): Matched =>
  demand._tag === "Tool" ? maybe(`${why}, and the tool doesn't say what it touches`) : no(why)

/**
 * Says whether an allow rule covers a demand: the strictest sense, with nothing
 * left open.
 *
 * @category matching
 * @since 0.1.0
 */
export const covers = (
  rule: Rule,
  demand: DemandOf<"File" | "Folder" | "Address" | "Agent" | "Tool">,
  evidence: Evidence
): Matched => {
  const { specifier } = rule.pattern
  switch (specifier._tag) {
    case "Any":
      return yes("it covers every use of the tool")
    case "Path": {
      if (demand._tag === "File") {
        return demand.path === undefined
          ? no("the file is not known")
          : ofFile(rule, demand, evidence)
      }
      return demand._tag === "Folder"
        ? ofPath(rule, demand.path, evidence)
        : no("it is about files")
    }
    case "Domain":
      return demand._tag === "Address" ? ofAddress(specifier.pattern, demand) : no("it is about addresses")
    case "Name":
      return demand._tag === "Agent" && matchName(specifier, demand.name) ? yes("the name matches") : no("another name")
    default:
      return no("it can't allow this")
  }
}

/**
 * Compares a rule with the words of one command, its assignments as part of
 * them or left out.
 *
 * @category matching
 * @since 0.1.0
 */
export const ofWords = (rule: Rule, words: ReadonlyArray<Word>): Matched => {
  const { specifier } = rule.pattern
  if (specifier._tag !== "Command") return no("it is not about commands")
  const matched = matchCommand(specifier, words, rule.behavior)
  if (matched === "no") return no("the words differ")
  const text = words.map(({ source, value }) => source === "" ? value ?? "…" : source).join(" ")
  return matched === "yes" ? yes(`it matches \`${text}\``) : maybe(`only running \`${text}\` tells whether it matches`)
}

/**
 * Returns the texts that a command may be known by, with those of what it
 * starts: as written, and with its assignments before it.
 *
 * @category getters
 * @since 0.1.0
 */
export const forms = (command: SimpleCommand): ReadonlyArray<ReadonlyArray<Word>> => [
  ...(command.words.length === 0 ? [] : [command.words]),
  ...(command.assignments.length === 0 ? [] : [[...assigned(command), ...command.words]]),
  ...command.inner.flatMap(forms)
]

/** Where names ignore case, so do the names of programs. */
const spellings = (command: SimpleCommand, { place }: Evidence): ReadonlyArray<ReadonlyArray<Word>> => {
  const written = forms(command)
  return place.caseInsensitive
    ? [...written, ...written.map(([first, ...rest]) => first === undefined ? [] : [lowered(first), ...rest])]
    : written
}

const lowered = (word: Word): Word => ({
  ...word,
  known: [word.known[0].toLowerCase(), ...word.known.slice(1)],
  value: word.value?.toLowerCase()
})

/**
 * Returns the assignments before a command as the words they are written as.
 *
 * @category getters
 * @since 0.1.0
 */
export const assigned = (command: SimpleCommand): ReadonlyArray<Word> =>
  command.assignments.map(({ name, value }) => ({
    ...value,
    source: `${name}=${value.source}`,
    known: [`${name}=${value.known[0]}`, ...value.known.slice(1)],
    value: value.value === undefined ? undefined : `${name}=${value.value}`
  }))

const ofFile = (rule: Rule, demand: DemandOf<"File">, evidence: Evidence): Matched => {
  if (demand.path !== undefined) {
    const matched = ofPath(rule, demand.path, evidence)
    if (matched.matched !== "no" || !demand.recursive || rule.behavior === "allow") return matched
    return ofBelow(rule, demand.path, evidence)
  }
  const paths = expansionOf(demand, evidence)
  if (rule.behavior === "allow") {
    return paths?.every((path) => ofPath(rule, path, evidence).matched === "yes") === true
      ? yes("every path that it stands for matches")
      : no("the file is not known")
  }
  if (demand.word === undefined) return no("the file is not known")
  const named = paths?.find((path) => ofPath(rule, path, evidence).matched === "yes")
  if (named !== undefined) return yes(`it stands for \`${named}\``)
  const written = writtenOf(demand, evidence)
  if (written !== undefined && ofPath(rule, written, evidence).matched === "yes") {
    return yes("the path as written matches")
  }
  const matcher = matcherOf(rule, evidence)
  const directory = demand.directory === undefined ? undefined : absolute(demand.directory, evidence.place)
  return matcher !== undefined && mayMatchPath(matcher, demand.word, directory, demand.dotted)
    ? maybe("only running the command tells which file it opens")
    : no("no file that this could name matches")
}

/** The path of a word that may lead elsewhere by the time its command runs. */
const writtenOf = ({ directory, word }: DemandOf<"File">, { place }: Evidence): string | undefined =>
  word?.written === undefined || directory === undefined
    ? undefined
    : absolute(word.written, place, directory, word.tilde === true)

/** Holds a rule against what a command would find below a folder. */
const ofBelow = (rule: Rule, path: string, evidence: Evidence): Matched => {
  const folder = ofFolder(rule, { path }, evidence)
  const below = evidence.below.get(path)
  if (folder.matched !== "maybe" || below === undefined) return folder
  const found = below.find((one) => ofPath(rule, one, evidence).matched !== "no")
  return found === undefined ? no("nothing below the folder matches") : maybe(`\`${found}\` lies below the folder`)
}

const ofFolder = (rule: Rule, { path }: { readonly path: string }, evidence: Evidence): Matched => {
  const matched = ofPath(rule, path, evidence)
  if (matched.matched === "yes") return matched
  const matcher = matcherOf(rule, evidence)
  return matcher !== undefined && coversFolder(matcher, resolvedOf(path, evidence))
    ? maybe("something below the folder matches")
    : no("the path differs")
}

const ofPath = (rule: Rule, path: string, evidence: Evidence): Matched => {
  const resolved = resolvedOf(path, evidence)
  if (resolved.problem !== undefined && rule.behavior === "allow") return no(resolved.problem)
  const matcher = matcherOf(rule, evidence)
  if (matcher !== undefined && matchPath(matcher, resolved, rule.behavior)) return yes("the path matches")
  if (resolved.problem !== undefined) return maybe(`the path ${resolved.problem}`)
  return no(matcher === undefined || rule.behavior !== "allow" ? "the path differs" : halfOf(matcher, resolved))
}

/** An allow rule that is about one end of a link alone looks as if it should do. */
const halfOf = (matcher: PathMatcher, { real, written }: ResolvedPath): string => {
  const [, ...others] = [written, ...real].filter((path, at, all) => all.indexOf(path) === at)
  if (others.length === 0) return "the path differs"
  const matches = (paths: ReadonlyArray<string>) =>
    paths.every((path) => matchPath(matcher, { written: path, real: [] }, "allow"))
  if (matches([written])) return "it is about the path as written, and not about where that leads"
  return matches(others) ? "it is about where the path leads, and not about the path as written" : "the path differs"
}

/**
 * Returns the paths that a file demand stands for, as far as that is known: its
 * own, or those of its glob and of the folder that the glob looks in.
 *
 * @category getters
 * @since 0.1.0
 */
export const expansionOf = (
  { path, word }: DemandOf<"File">,
  { expanded }: Pick<Evidence, "expanded">
): ReadonlyArray<string> | undefined => path === undefined ? word && expanded.get(word) : [path]

/**
 * Returns what a path was found to lead to; a path that nobody followed counts
 * as one that can't be.
 *
 * @category getters
 * @since 0.1.0
 */
export const resolvedOf = (path: string, { resolved }: Pick<Evidence, "resolved">): ResolvedPath =>
  resolved.get(path) ?? { written: path, real: [], kind: "missing", problem: "was not followed" }

const ofAddress = (pattern: string, { url }: DemandOf<"Address">): Matched => {
  const matched = matchDomain(pattern, url)
  if (matched === undefined) return maybe("the address can't be read")
  return matched ? yes("the host matches") : no("another host")
}

/** A rule is made ready once for each place, not once for each file. */
const matcherOf = (rule: Rule, { place }: Evidence): PathMatcher | undefined => {
  const known = matchers.get(place) ?? new Map<Rule, PathMatcher | undefined>()
  matchers.set(place, known)
  if (known.has(rule)) return known.get(rule)
  const made = compilePath(rule, place)
  known.set(rule, made)
  return made
}

const matchers = new WeakMap<Place, Map<Rule, PathMatcher | undefined>>()
