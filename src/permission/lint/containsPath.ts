/**
 * Whether one path rule covers every file that another one covers.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { Rule } from "../../domain/Rule.ts"
import { compilePath } from "../path/compilePath.ts"
import type { PathMatcher } from "../path/PathMatcher.ts"

/**
 * Says whether a path rule matches whatever another one matches.
 *
 * **Details**
 *
 * Only folders without gaps are compared, and only rules that are anchored alike:
 * everything else is left undecided, which is `false`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const containsPath = (outer: Rule, inner: Rule, place: Place): boolean => {
  if (!anchoredAlike(outer, inner)) return false
  const [folder, files] = [compiled(outer, place), compiled(inner, place)]
  if (folder === undefined || files === undefined || folder.folders.length === 0) return false
  if (folder.pattern.length > longest || files.pattern.length > longest) return false
  if (folder.pattern === "/") return true
  const sameDepth = (folder.prefix === undefined) === (files.prefix === undefined)
  if (folder.pattern === files.pattern) return sameDepth
  if (!literal.test(folder.pattern)) return false
  if (folder.prefix !== undefined) return files.pattern.startsWith(`${folder.pattern}/`)
  const name = folder.pattern.slice(anyDepth.length)
  return !name.includes("/") && files.pattern.split("/").includes(name)
}

// Each rule is compared with many others.
const compiled = (rule: Rule, place: Place): PathMatcher | undefined => {
  const known = cache.get(rule)
  if (known?.place === place) return known.matcher
  const matcher = compilePath(rule, place)
  cache.set(rule, { place, matcher })
  return matcher
}

const cache = new WeakMap<Rule, { readonly place: Place; readonly matcher: PathMatcher | undefined }>()

const longest = 500

const anyDepth = "/**/"

const literal = /^(?:\/\*\*(?=\/[^/]+$))?(?:\/[\w@+=,.-]+)+$/

const anchoredAlike = (one: Rule, other: Rule): boolean => {
  const [first, second] = [one.pattern.specifier, other.pattern.specifier]
  return first._tag === "Path" && second._tag === "Path" && first.anchor === second.anchor &&
    (first.anchor !== "source" || one.base === other.base)
}
