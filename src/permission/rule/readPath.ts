/**
 * Reads what stands in the parentheses of a rule about files.
 *
 * @since 0.1.0
 */
import type { Specifier } from "../../domain/Rule.ts"
import { runBefore } from "./pieces.ts"
import type { Reader } from "./Reader.ts"
import { type RuleProblem, warning } from "./RuleProblem.ts"

/**
 * Reads a gitignore-style pattern and its anchor.
 *
 * **Details**
 *
 * A pattern of `./x` keeps its slash (`/x`), so that what was tied to the top
 * by its author stays tied. Windows forms (`C:\x`, `\\server\share`) are turned
 * into the one that paths are compared in.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readPath: Reader = (content, { offset, source, tool }) => {
  const specifier = anchored(withoutTrailingBackslash(content))
  return { specifier, problems: pathProblems(content, specifier, tool, source === "userSettings", offset) }
}

/**
 * Writes a path pattern with its anchor, the inverse of `readPath`.
 *
 * @category encoding
 * @since 0.1.0
 */
export const writePath = ({ anchor, pattern }: PathSpecifier): string => {
  switch (anchor) {
    case "root":
      return `//${pattern}`
    case "home":
      return `~/${pattern}`
    case "source":
      return `/${pattern}`
    case "cwd":
      if (pattern.startsWith("/")) return `.${pattern}`
      return pattern
  }
}

type PathSpecifier = Extract<Specifier, { readonly _tag: "Path" }>

const anchored = (content: string): PathSpecifier => {
  const windows = /^\/*([A-Za-z]):([\\/])(.*)$/s.exec(content)
  if (windows !== null) {
    const [, drive = "", separator, rest = ""] = windows
    return path("root", `${drive.toLowerCase()}/${separator === "/" ? rest : slashed(rest)}`)
  }
  const share = /^\\\\(\w.*)$/s.exec(content)
  if (share !== null) return anchored(`//${slashed(share[1] ?? "")}`)
  if (content.startsWith("//")) return path("root", content.replace(/^\/+/, ""))
  if (content.startsWith("~/")) return path("home", content.replace(/^~\/+/, ""))
  if (content === "~") return path("home", "")
  if (content.startsWith("/")) return path("source", content.slice(1))
  if (content === ".") return path("cwd", "/")
  if (content.startsWith("./")) return path("cwd", `/${content.replace(/^(?:\.\/+)+/, "")}`)
  return path("cwd", content)
}

const path = (anchor: PathSpecifier["anchor"], pattern: string): PathSpecifier => ({ _tag: "Path", anchor, pattern })

const topFolders = /^(?:Users|Volumes|bin|dev|etc|home|mnt|opt|private|proc|root|sbin|tmp|usr|var)(?:\/|$)/

const slashed = (text: string): string => text.replace(/\\+/g, "/")

const withoutTrailingBackslash = (content: string): string => {
  const odd = runBefore(content, content.length, 92) % 2 === 1
  return odd ? `${content.slice(0, -1)}/` : content
}

const pathProblems = (
  content: string,
  { anchor, pattern }: PathSpecifier,
  tool: string,
  user: boolean,
  offset: number
): ReadonlyArray<RuleProblem> => {
  const problems: Array<RuleProblem> = []
  if (anchor === "source" && (user || topFolders.test(pattern))) {
    const where = user ? "`~/.claude`" : "the place that this rule's source belongs to"
    const meant = `${tool}(/${content})`
    problems.push(warning(`a path with one slash in front begins at ${where}; two mean the root`, offset, meant))
  }
  if (content.startsWith("!")) {
    problems.push(warning("a rule has no exceptions, so that `!` in front means the character itself", offset))
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) {
    problems.push(warning("`..` in a pattern matches nothing, since paths are compared without it", offset))
  }
  if (/^\\\w/.test(content)) {
    problems.push(warning("a path is written with `/`", offset, `${tool}(//${slashed(content.slice(1))})`))
  }
  return problems
}
