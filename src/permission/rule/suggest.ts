/**
 * Suggests the rules that would have allowed a call, each no wider than needed.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { ResolvedPath } from "../../domain/ResolvedPath.ts"
import type { Pattern, Specifier } from "../../domain/Rule.ts"
import type { SimpleCommand } from "../../domain/ShellCommand.ts"
import { compilePath } from "../path/compilePath.ts"
import { matchPath } from "../path/matchPath.ts"
import { isProtected } from "../path/protected.ts"
import { matchCommand } from "./matchCommand.ts"
import { hostOf, matchDomain } from "./matchDomain.ts"
import { parseRule } from "./parseRule.ts"
import { harmlessPrefixes, readsProgram } from "./prefixes.ts"
import { printRule } from "./printRule.ts"

/**
 * One part of a call that somebody was asked about.
 *
 * @category models
 * @since 0.1.0
 */
export type Part =
  | { readonly _tag: "Command"; readonly command: Pick<SimpleCommand, "words" | "exactOnly">; readonly tool?: string }
  | {
    readonly _tag: "File"
    readonly access: "read" | "edit"
    readonly path: Pick<ResolvedPath, "written" | "real"> & Partial<Pick<ResolvedPath, "kind">>
  }
  | { readonly _tag: "Url"; readonly url: string }
  | { readonly _tag: "Name"; readonly tool: string; readonly name: string }
  | { readonly _tag: "Tool"; readonly tool: string }

/**
 * Returns the rules to offer, one for each part, as they would be written.
 *
 * **Details**
 *
 * Every rule covers its part, and reading it again gives the same rule. Where a
 * part has none that is safe to offer, or more than five would be needed, the
 * list is empty: some of the rules would not have spared the question.
 *
 * @category combining
 * @since 0.1.0
 */
export const suggest = (parts: ReadonlyArray<Part>, place: Place): ReadonlyArray<string> => {
  const rules = new Set<string>()
  for (const part of parts) {
    const pattern = suggestPart(part, place)
    if (pattern === undefined) return []
    rules.add(printRule(pattern))
  }
  return rules.size > mostRules ? [] : [...rules]
}

/**
 * Returns the rule to offer for one part, or undefined where none is safe.
 *
 * @category combining
 * @since 0.1.0
 */
export const suggestPart = (part: Part, place: Place): Pattern | undefined => {
  const pattern = patternOf(part, place)
  if (pattern === undefined) return undefined
  const again = parseRule(printRule(pattern), { behavior: "allow", source: "session" })
  return again.pattern !== undefined && printRule(again.pattern) === printRule(pattern) &&
      covers(again.pattern.specifier, part, place)
    ? again.pattern
    : undefined
}

const mostRules = 5

const patternOf = (part: Part, place: Place): Pattern | undefined => {
  switch (part._tag) {
    case "Command":
      return rule(part.tool ?? "Bash", commandPattern(part.command))
    case "File":
      return rule(part.access === "edit" ? "Edit" : "Read", pathPattern(part, place))
    case "Url": {
      const host = hostOf(part.url)
      return rule("WebFetch", host === undefined ? undefined : { _tag: "Domain", pattern: host })
    }
    case "Name":
      return rule(part.tool, { _tag: "Name", pieces: [part.name], boundary: false })
    case "Tool":
      return rule(part.tool, { _tag: "Any" })
  }
}

const rule = (tool: string, specifier: Specifier | undefined): Pattern | undefined =>
  specifier === undefined ? undefined : { tool: [tool], specifier }

const covers = (specifier: Specifier, part: Part, place: Place): boolean => {
  switch (specifier._tag) {
    case "Command":
      return part._tag === "Command" && matchCommand(specifier, part.command.words) === "yes"
    case "Domain":
      return part._tag === "Url" && matchDomain(specifier.pattern, part.url) === true
    case "Path": {
      if (part._tag !== "File") return false
      const matcher = compilePath({ behavior: "allow", pattern: { tool: [""], specifier }, base: place.cwd }, place)
      return matcher !== undefined && matchPath(matcher, part.path, "allow")
    }
    case "Name":
      return part._tag === "Name" && specifier.pieces.length === 1 && specifier.pieces[0] === part.name
    case "Any":
      return part._tag === "Tool"
    default:
      return false
  }
}

const commandPattern = ({ exactOnly, words }: Pick<SimpleCommand, "words" | "exactOnly">): Specifier | undefined => {
  const program = words[0]?.value
  if (program === undefined) return undefined
  const prefix = exactOnly ? undefined : prefixOf(words.map(({ value }) => value))
  if (prefix !== undefined) return { _tag: "Command", pieces: [prefix], boundary: true }

  if (words.some(({ value }) => value === undefined)) return undefined
  if (readsProgram.has(program.replace(/^.*\//s, "")) && !words.slice(1).some(namesProgram)) return undefined
  const text = words.map(({ source }) => source).join(" ")
  return text.length > longest ? undefined : { _tag: "Command", pieces: [text], boundary: false }
}

const longest = 1000

const namesProgram = ({ value = "" }: SimpleCommand["words"][number]): boolean => !/^-(?:|-|s|i|l)$/.test(value)

const prefixes: ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> = Map.groupBy(
  harmlessPrefixes.map((prefix) => prefix.split(" ")),
  ([program = ""]) => program
)

const prefixOf = (values: ReadonlyArray<string | undefined>): string | undefined => {
  const found = prefixes.get(values[0] ?? "")?.find((prefix) =>
    prefix.every((word, index) => word === "_" ? /^\w[\w:.-]*$/.test(values[index] ?? "") : word === values[index])
  )
  return found === undefined ? undefined : values.slice(0, found.length).join(" ")
}

const pathPattern = (
  { access, path }: Extract<Part, { readonly _tag: "File" }>,
  place: Place
): Specifier | undefined => {
  if (path.written === "/" || (access === "edit" && isProtected(path.written, place))) return undefined
  const escaped = path.written.replace(/^\/+/, "").replace(/[\\*?[\]]/g, "\\$&").replace(/ $/, "\\ ")
  return { _tag: "Path", anchor: "root", pattern: path.kind === "directory" ? `${escaped}/**` : escaped }
}
