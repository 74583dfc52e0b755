/**
 * Holds path rules against words of a command that are not fully known.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { matchPieces } from "../rule/pieces.ts"
import { folded, normalise } from "./normalise.ts"
import type { PathMatcher } from "./PathMatcher.ts"

/**
 * Says whether a word may turn out to be a path that a rule matches: `.e*` may
 * be `.env`. `directory` is the absolute path that the word is relative to;
 * where that is not known, anything may be.
 *
 * **Details**
 *
 * A `*` of the shell stays within one name. A variable may be any text, even one
 * with `..` in it, and so any path. `dotted` says whether a `*` at the beginning
 * of a name may stand for its dot, as an option of the shell has it.
 *
 * @category matching
 * @since 0.1.0
 */
export const mayMatchPath = (
  matcher: PathMatcher,
  word: Pick<Word, "known" | "glob" | "source" | "tilde">,
  directory: string | undefined,
  dotted = true
): boolean => {
  const isGlob = word.known.length === 1 || (word.glob && !/[$`]/.test(word.source))
  const names = isGlob ? namesOf(matcher, word, directory) : undefined
  if (names === undefined) return matcher.folders.length > 0
  const pattern = matcher.pattern.split("/").filter((name) => name !== "")
  return matcher.folders.some((folder) => {
    const whole = [...folder.split("/").filter((name) => name !== "").map(escaped), ...pattern]
    return haveCommonPath(whole.map(piecesOf), names.map((name) => name.split(gap)), dotted)
  })
}

// Stands for what only running the line tells; no name of a file holds it.
const gap = "\uFDD0"

const namesOf = (
  { place }: PathMatcher,
  { known, tilde }: Pick<Word, "known" | "tilde">,
  directory: string | undefined
): ReadonlyArray<string> | undefined => {
  const text = known.map((piece) => piece.replaceAll(gap, "\uFFFD")).join(gap)
  const absolute = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(text) || (tilde !== false && /^~(?:\/|$)/.test(text))
  if (!absolute && directory === undefined) return undefined
  // What is above an unknown folder is as unknown.
  if (new RegExp(`${gap}.*/\\.\\.(?:/|$)`, "s").test(text)) return undefined
  const path = absolute ? text : `${directory}/${text}`
  const normal = normalise(path, place)
  return normal === undefined ? undefined : folded(normal, place).split("/").filter((name) => name !== "")
}

const escaped = (name: string): string => name.replace(/[\\*?[\]]/g, "\\$&")

type Pieces = ReadonlyArray<string>

const anyDepth: Pieces = ["**"]

const piecesOf = (name: string): Pieces => {
  if (name === "**") return anyDepth
  const pieces: Array<string> = [""]
  for (const [token] of name.matchAll(/\\[^]|\*+|\?|\[(?:\\[^]|[^\]])*\]|[^]/g)) {
    if (token.length > 1 && token.startsWith("\\")) pieces.push(`${pieces.pop() ?? ""}${token.slice(1)}`)
    else if (/^[*?]/.test(token) || (token.startsWith("[") && token.length > 1)) pieces.push("")
    else pieces.push(`${pieces.pop() ?? ""}${token}`)
  }
  return pieces
}

// Whether the pattern may match the path or a folder that it lies in. Each pair
// of positions is looked at once.
const haveCommonPath = (pattern: ReadonlyArray<Pieces>, names: ReadonlyArray<Pieces>, dotted: boolean): boolean => {
  const seen = new Set<number>()
  const from = (i: number, j: number): boolean => {
    const want = pattern[i]
    if (want === undefined) return true
    const have = names[j]
    const position = i * (names.length + 1) + j
    if (seen.has(position)) return false
    seen.add(position)
    if (want === anyDepth) return from(i + 1, j) || (have !== undefined && from(i, j + 1))
    if (have === undefined) return false
    if (!dotted && have.length > 1 && have[0] === "" && want[0]?.startsWith(".") === true) return false
    return haveCommonName(want, have) && from(i + 1, j + 1)
  }
  return from(0, 0)
}

const haveCommonName = (want: Pieces, have: Pieces): boolean => {
  if (want.length === 1) return matchPieces(have, want[0] ?? "")
  if (have.length === 1) return matchPieces(want, have[0] ?? "")
  const [start, end] = [want[0] ?? "", want.at(-1) ?? ""]
  const [first, last] = [have[0] ?? "", have.at(-1) ?? ""]
  return (start.startsWith(first) || first.startsWith(start)) && (end.endsWith(last) || last.endsWith(end))
}
