/**
 * Paths whose removal is a disaster, whoever allowed it.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { matchPieces } from "../rule/pieces.ts"
import { withTargets } from "./links.ts"
import { folded, normalise } from "./normalise.ts"

/**
 * Returns the words of a command that name critical paths which it would
 * remove; empty for a command that removes nothing of the kind. `find -delete`
 * counts when no test picks what is deleted.
 *
 * @category getters
 * @since 0.1.0
 */
export const criticalRemovals = (
  { directory, elsewhere = [], words }: Pick<SimpleCommand, "words" | "directory" | "elsewhere">,
  place: Place
): ReadonlyArray<Word> =>
  targetsOf(words).filter((word) => [directory, ...elsewhere].some((folder) => isCriticalRemoval(word, folder, place)))

/**
 * Says whether removing what a word stands for removes a critical path.
 *
 * **Details**
 *
 * Critical are the root and whatever lies directly in it (on Windows, in a
 * drive), the home directory, the working directory, and all that these lie in;
 * further everything inside one of them, or inside an added working directory,
 * at once (`~/*`). So is `"$VAR"/` and `"$VAR"/*`: the variable may be empty.
 * `directory` is where the command runs, as `SimpleCommand` has it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isCriticalRemoval = (
  word: Pick<Word, "known" | "glob" | "source" | "tilde">,
  directory: string | undefined,
  place: Place
): boolean => {
  const text = withNamedVariables(word, place)
  if (text === gap && !word.glob) return false
  if (gapThenSlash.test(text) && /[$`]/.test(word.source)) return true
  const path = isAbsolute.test(text) && !(text.startsWith("~") && word.tilde === false)
    ? text
    : `${directory ?? gap}/${text}`
  const names = namesOf(path, place)
  if (names === undefined) return false
  if (isCriticalNames(names, place)) return true

  let length = names.length
  while (length > 0 && isAnyName(names[length - 1] ?? "")) {
    length--
    const holder = names.slice(0, length)
    if (isCriticalNames(holder, place) || matchesAny(holder, added(place)) || holder.at(-1) === gap) return true
  }
  return false
}

/**
 * Says whether a path is critical, glob patterns and variables aside.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isCriticalPath = (path: string, place: Place): boolean => {
  const names = namesOf(path, place)
  return names !== undefined && isCriticalNames(names, place)
}

// Stands for what only running the line tells; no name of a file holds it.
const gap = "\uFDD0"

const gapThenSlash = new RegExp(`^${gap}(?:/+|(?:/+\\.?${gap})+/*)$`)

const isAbsolute = /^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/]|\\\\)/

const removers = new Set(["rm", "rmdir"])

const targetsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const program = words[0]?.value?.replace(/^.*\//s, "") ?? ""
  if (program === "find") return findRoots(words.slice(1))
  if (!removers.has(program)) return []
  const end = words.findIndex(({ value }) => value === "--")
  return words.slice(1).filter(({ known }, index) => (end >= 0 && index + 1 > end) || !known[0].startsWith("-"))
}

// `find` deletes everything below its roots unless a test picks some of it.
const findRoots = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const first = words.findIndex(({ known }) => !/^-(?:[HLP]|O\d*|D)?$/.test(known[0]))
  const rest = words.slice(first < 0 ? words.length : first)
  const end = rest.findIndex(({ known }) => /^[-(!]/.test(known[0]))
  const expression = end < 0 ? [] : rest.slice(end).map(({ value }) => value ?? "")
  const deletes = expression.includes("-delete")
  if (!deletes || !expression.every((text) => picksNothing.test(text))) return []
  return end === 0 ? [here] : rest.slice(0, end)
}

const here: Word = { source: ".", known: ["."], value: ".", splits: false, glob: false }

const picksNothing =
  /^(?:-delete|-depth|-d|-print0?|-xdev|-mount|-ignore_readdir_race|-(?:min|max)depth|\d+|-type|[fdl,]+)$/

const withNamedVariables = ({ known, source }: Pick<Word, "known" | "source">, place: Place): string => {
  const text = known.map((piece) => piece.replaceAll(gap, "\uFFFD")).join(gap)
  const variable = /^"?\$(?:\{(HOME|PWD)\}|(HOME|PWD)(?!\w))/.exec(source)
  if (variable === null || !text.startsWith(gap)) return text
  return `${(variable[1] ?? variable[2]) === "HOME" ? place.home : place.cwd}${text.slice(gap.length)}`
}

const namesOf = (path: string, place: Place): ReadonlyArray<string> | undefined => {
  const absolute = path.startsWith(gap) ? `/${path}` : path
  const normal = normalise(absolute, place)
  return normal === undefined ? undefined : split(folded(normal, place))
}

const split = (path: string): ReadonlyArray<string> => path.split("/").filter((name) => name !== "")

const isAnyName = (name: string): boolean => name === gap || name === `.${gap}` || name === `${gap}${gap}`

const isCriticalNames = (names: ReadonlyArray<string>, place: Place): boolean =>
  names[0] !== gap && (names.length < (place.platform === "win32" ? 3 : 2) || matchesAny(names, critical(place)))

const matchesAny = (names: ReadonlyArray<string>, paths: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  paths.some((path) =>
    path.length === names.length && path.every((name, index) => matchPieces((names[index] ?? "").split(gap), name))
  )

interface Folders {
  readonly critical: ReadonlyArray<ReadonlyArray<string>>
  readonly added: ReadonlyArray<ReadonlyArray<string>>
}

const cache = new WeakMap<Place, Folders>()

const foldersOf = (place: Place): Folders => {
  const known = cache.get(place)
  if (known !== undefined) return known
  const all = (paths: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
    withTargets(
      paths.flatMap((path) => {
        const normal = normalise(path, place)
        return normal === undefined ? [] : [folded(normal, place)]
      }),
      place
    ).map(split)
  const own = all([place.home, place.cwd, ...place.platform === "darwin" ? darwin : []])
  const folders = {
    critical: own.flatMap((path) => path.map((_, index) => path.slice(0, index + 1))),
    added: all(place.directories)
  }
  cache.set(place, folders)
  return folders
}

const critical = (place: Place): Folders["critical"] => foldersOf(place).critical

const added = (place: Place): Folders["added"] => foldersOf(place).added

const darwin = ["/private/etc", "/private/var", "/private/tmp", "/private/home"]
