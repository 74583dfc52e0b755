/**
 * Keeps path patterns, and the paths held against them, to a size that takes no
 * time: gaps upon gaps make a regular expression try every way to fill them.
 *
 * @since 0.1.0
 */
import type { Behavior } from "../../domain/Rule.ts"

/**
 * Returns a pattern with few enough gaps. One with more becomes wider for deny
 * and ask rules, and nothing at all for allow rules.
 *
 * @category combining
 * @since 0.1.0
 */
export const boundedPattern = (pattern: string, behavior: Behavior): string | undefined => {
  const names = pattern.split("/")
  if (pattern.length <= mostLetters && isSimple(names)) return pattern
  if (behavior === "allow") return undefined
  if (pattern.length > mostLetters) return "/"
  const first = names.indexOf("**")
  const last = names.lastIndexOf("**")
  const few = names.filter(isAnyDepth).length <= mostDepths
    ? names
    : [...names.slice(0, first), ...names.slice(last)]
  return few.map((name) => isAnyDepth(name) || starsIn(name) <= mostStars ? name : "*").join("/")
}

/**
 * Says whether no disk could bear a path: longer than a system accepts, or
 * deeper than anybody builds.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOversized = (path: string): boolean =>
  path.length > 200 && (path.length > mostLetters || path.split("/").length > mostNames || longName.test(path))

const mostLetters = 4096

const mostNames = 64

const longName = /[^/]{256}/

const mostStars = 3

const mostDepths = 3

const isAnyDepth = (name: string): boolean => name === "**"

const starsIn = (name: string): number =>
  name.replace(/\\[^]|\*{2,}/g, (text) => text[0] === "*" ? "*" : "").split("*").length - 1

const isSimple = (names: ReadonlyArray<string>): boolean =>
  names.filter(isAnyDepth).length <= mostDepths && names.every((name) => isAnyDepth(name) || starsIn(name) <= mostStars)
