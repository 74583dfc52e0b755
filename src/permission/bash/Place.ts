/**
 * Where the shell could stand: the directories that `cd` may have left it in.
 *
 * A `cd` that fails leaves the shell where it was, so that after `cd a; b` the
 * command `b` runs in `a`, or, should there be no `a`, where the line began.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"

/**
 * The possible directories, likeliest first; undefined when they can't be
 * known. None at all stands for a point that is never reached.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  readonly directories: ReadonlyArray<string> | undefined
}

/**
 * Where the shell stands after a command that succeeded, and after one that
 * failed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome {
  readonly ok: Place
  readonly fail: Place
}

/**
 * @category constants
 * @since 0.1.0
 */
export const start: Place = { directories: ["."] }

/**
 * @category constants
 * @since 0.1.0
 */
export const anywhere: Place = { directories: undefined }

/**
 * @category constants
 * @since 0.1.0
 */
export const nowhere: Place = { directories: [] }

/**
 * Returns the directory to report for a place: the likeliest one.
 *
 * @category reading
 * @since 0.1.0
 */
export const directoryOf = (place: Place): string | undefined => place.directories?.[0]

/**
 * Returns the directories other than the likeliest one.
 *
 * @category reading
 * @since 0.1.0
 */
export const elsewhereOf = (place: Place): ReadonlyArray<string> | undefined =>
  place.directories === undefined || place.directories.length < 2 ? undefined : place.directories.slice(1)

const most = 8

// The longest path that systems take.
const longest = 4096

/**
 * Joins the places of two ways that meet; the first is the likelier.
 *
 * @category combining
 * @since 0.1.0
 */
export const join = (first: Place, second: Place): Place => {
  if (first === second) return first
  if (first.directories === undefined || second.directories === undefined) return anywhere
  const rest = second.directories.filter((directory) => first.directories?.includes(directory) === false)
  if (rest.length === 0) return first
  return first.directories.length + rest.length > most
    ? anywhere
    : { directories: [...first.directories, ...rest] }
}

/**
 * Says whether a place holds nothing that another doesn't.
 *
 * @category comparing
 * @since 0.1.0
 */
export const within = (inner: Place, outer: Place): boolean =>
  inner === outer || outer.directories === undefined ||
  (inner.directories?.every((directory) => outer.directories?.includes(directory)) ?? false)

/**
 * Returns where a change to `target` leads, as `cd` without options reads it:
 * `..` takes a name away, whatever a link may say.
 *
 * @category moving
 * @since 0.1.0
 */
export const into = (place: Place, target: string): Place =>
  (place.directories === undefined && !/^[/~]/.test(target)) ||
    (place.directories?.[0]?.length ?? 0) + target.length > longest
    ? anywhere
    : { directories: [...new Set((place.directories ?? ["."]).map((from) => resolve(from, target)))] }

/**
 * Returns where the arguments of `cd` or `pushd` lead when it succeeds.
 *
 * **Details**
 *
 * `-P` follows links, so that `..` can't be resolved by looking at the text;
 * `-`, stack positions, and whatever only running tells lead anywhere.
 *
 * @category moving
 * @since 0.1.0
 */
export const move = (place: Place, words: ReadonlyArray<Word>, rehomes: boolean): Place => {
  if (rehomes) return anywhere
  let physical = false
  let target: Word | undefined
  for (const word of words.slice(1)) {
    if (word.value === undefined || target !== undefined) return anywhere
    if (word.value === "--") continue
    if (/^-[LPe@]+$/.test(word.value)) physical ||= word.value.includes("P")
    else if (/^[-+]/.test(word.value) || word.value === "") return anywhere
    else target = word
  }
  if (target === undefined) return words[0]?.value === "cd" ? into(place, "~") : anywhere
  const text = target.value
  if (text === undefined || (text.startsWith("~") && target.tilde !== true)) return anywhere
  return (physical && text.includes("..")) || /\/(?:proc|fd)(?:\/|$)/.test(text) ? anywhere : into(place, text)
}

const resolve = (from: string, target: string): string => {
  const path = target.startsWith("/") || target.startsWith("~") ? target : `${from}/${target}`
  const absolute = path.startsWith("/")
  const kept: Array<string> = []
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue
    const last = kept.at(-1)
    if (name !== "..") kept.push(name)
    else if (last !== undefined && last !== ".." && last !== "~") kept.pop()
    else if (!absolute) kept.push(name)
  }
  return absolute ? `/${kept.join("/")}` : kept.length === 0 ? "." : kept.join("/")
}
