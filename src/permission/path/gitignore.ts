/**
 * Gitignore patterns, read by the library `ignore`.
 *
 * @since 0.1.0
 */
import ignore, { type Ignore } from "ignore"
import { runBefore } from "../rule/pieces.ts"

/**
 * Makes a pattern that begins with a slash into a test of paths relative to its
 * folder; the slash alone matches everything, the folder included.
 *
 * **Details**
 *
 * Characters that mean something to gitignore at the ends of a line (`!`, `#`,
 * blanks) mean themselves. Brackets are a choice of characters and, since few
 * people know, themselves as well.
 *
 * @category constructors
 * @since 0.1.0
 */
export const gitignore = (pattern: string): (relative: string) => boolean => {
  if (pattern === "/") return () => true
  const patterns = spellings(pattern).map((spelling) => ({ pattern: spelling }))
  let matcher = make(patterns)
  let tests = 0
  return (relative) => {
    if (relative === "") return false
    // The library remembers every path it was asked about.
    if (++tests % forgetAfter === 0) matcher = make(patterns)
    return matcher.ignores(relative)
  }
}

const forgetAfter = 4096

const make = (patterns: ReadonlyArray<{ readonly pattern: string }>): Ignore =>
  ignore({ ignorecase: false, allowRelativePaths: true }).add(patterns)

const spellings = (pattern: string): ReadonlyArray<string> => {
  const kept = keepBlanks(pattern)
  return kept.includes("[")
    ? [kept, kept.replace(/\\[^]|[[\]]/g, (text) => text.length > 1 ? text : `\\${text}`)]
    : [kept]
}

const keepBlanks = (pattern: string): string => {
  const blanks = runBefore(pattern, pattern.length, 32)
  const end = pattern.length - blanks
  const kept = runBefore(pattern, end, 92) % 2 === 1 ? 1 : 0
  return blanks === 0 ? pattern : `${pattern.slice(0, end + kept)}${"\\ ".repeat(blanks - kept)}`
}
