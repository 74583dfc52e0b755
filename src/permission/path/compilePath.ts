/**
 * Makes path rules ready to be held against paths.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { Behavior, Rule, Specifier } from "../../domain/Rule.ts"
import { boundedPattern } from "./bounded.ts"
import { gitignore } from "./gitignore.ts"
import { withTargets } from "./links.ts"
import { folded, normalise } from "./normalise.ts"
import type { PathMatcher } from "./PathMatcher.ts"

/**
 * Makes a rule with a path pattern ready, or returns undefined for a rule
 * without one.
 *
 * **Details**
 *
 * The pattern reaches only what lies under its anchor. A bare name matches at
 * any depth; a pattern with a slash in it is tied to the anchor, but for
 * `name/**` in a deny or ask rule, which reaches folders of that name at any
 * depth, and `./name`, which in an allow rule is tied as well. A match is the
 * path itself and everything below it; `folder/**` matches the folder too.
 *
 * @category constructors
 * @since 0.1.0
 */
export const compilePath = (
  rule: Pick<Rule, "behavior" | "pattern" | "base">,
  place: Place
): PathMatcher | undefined => {
  const { specifier } = rule.pattern
  if (specifier._tag !== "Path") return undefined
  const folder = specifier.anchor === "root" ? "/" : normalise(anchorOf(specifier.anchor, rule.base, place), place)
  if (folder === undefined) return undefined
  const { atAnyDepth, pattern: whole } = reach(specifier, rule.behavior, place)
  const pattern = boundedPattern(whole, rule.behavior)
  if (pattern === undefined) return nothing(place)
  return {
    folders: withTargets([folded(folder, place)], place),
    matches: gitignore(pattern),
    pattern,
    prefix: atAnyDepth ? undefined : literalPrefix(pattern),
    place
  }
}

const nothing = (place: Place): PathMatcher => ({ folders: [], matches: () => false, pattern: "/", prefix: [], place })

type PathSpecifier = Extract<Specifier, { readonly _tag: "Path" }>

const anchorOf = (anchor: Exclude<PathSpecifier["anchor"], "root">, base: string, place: Place): string => {
  switch (anchor) {
    case "home":
      return place.home
    case "source":
      return base
    case "cwd":
      return place.cwd
  }
}

interface Reach {
  /** A gitignore pattern that begins with a slash; the slash alone is everything. */
  readonly pattern: string
  readonly atAnyDepth: boolean
}

const reach = ({ anchor, pattern }: PathSpecifier, behavior: Behavior, place: Place): Reach => {
  const text = folded(pattern, place).replace(/\/(?:\.?\/)+/g, "/").replace(/(?<=^|\/)\*{3,}(?=\/|$)/g, "**")
  const tiedByAuthor = anchor !== "cwd" || (text.startsWith("/") && behavior === "allow")
  const body = withoutTail(text.replace(/^\//, ""))
  const isFolder = !text.endsWith(body)
  if (body.length === 0) return { pattern: "/", atAnyDepth: false }

  const oneName = !body.includes("/")
  const atAnyDepth = !tiedByAuthor && oneName && !(isFolder && behavior === "allow")
  // A gap in the last name could be a file, and a folder's rule allows no file of that name.
  const onlyBelow = isFolder && behavior === "allow" && /[*?[]/.test(body.slice(body.lastIndexOf("/") + 1))
  return { pattern: `${atAnyDepth ? "/**/" : "/"}${body}${onlyBelow ? "/**" : ""}`, atAnyDepth }
}

const withoutTail = (pattern: string): string => {
  const body = pattern.replace(/(?:^|\/)(?:\*\*\/?)?$/, "")
  return body === pattern ? body : withoutTail(body)
}

const literalPrefix = (pattern: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const name of pattern.split("/").slice(1)) {
    if (name === "" || /[*?[]/.test(name)) break
    names.push(name.replace(/\\(.)/gs, "$1"))
  }
  return names
}
