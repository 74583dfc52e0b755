/**
 * Remembers what a line puts elsewhere. A folder that it moves takes its links
 * along, and a link that it makes leads where nobody can look before: after
 * `mv src s` the path `s/out` may lead anywhere, and after `ln -s / q` so does
 * `q`.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { gap, wordOf } from "./WordDraft.ts"

/**
 * The names under which something else may stand than before the line. What is
 * below one of `folders` is unknown, and what is called like one of `links` as
 * well; with `anything` all that lies below some folder, and with
 * `everything` every path.
 *
 * @category models
 * @since 0.1.0
 */
export interface Replaced {
  readonly folders: ReadonlySet<string>
  readonly links: ReadonlySet<string>
  readonly anything: boolean
  readonly everything: boolean
}

/**
 * Adds what a command puts elsewhere.
 *
 * @category combining
 * @since 0.1.0
 */
export const afterReplacing = (before: Replaced | undefined, command: SimpleCommand): Replaced | undefined => {
  const { inner, words } = command
  const program = words[0]?.value
  let after = before
  if (program !== undefined && replacing.has(program)) {
    const named = words.slice(1).filter(({ known: [text] }) => !/^-./.test(text))
    const keepsLinks = program === "ln" ||
      words.some(({ value }) => /^(?:-[a-zA-Z]*[adPRrs]|--(?:archive|no-deref|rec|sym))/.test(value ?? ""))
    // A plain copy is a file of its own.
    if (program !== "cp" && program !== "rsync" || keepsLinks) after = add(after, named, keepsLinks)
  }
  for (const each of inner) after = afterReplacing(after, each)
  return after
}

/**
 * Returns a word as far as it is still known: a path through what was put
 * elsewhere is none that anybody can look up.
 *
 * @category reading
 * @since 0.1.0
 */
export const asReplaced = (word: Word, replaced: Replaced): Word => {
  const text = word.value
  if (text === undefined || text.startsWith("-") && !text.includes("/")) return word
  const names = text.split("/").filter((name) => name !== "" && name !== ".")
  const elsewhere = { ...wordOf(word.source, [{ text, bare: false }, gap], word.tilde ?? false), written: text }
  if (replaced.everything) return elsewhere
  const below = names.length > 1 && (replaced.anything || names.slice(0, -1).some((name) => replaced.folders.has(name)))
  const last = names.at(-1) ?? ""
  const itself = replaced.links.has(last) || (text.endsWith("/") && replaced.folders.has(last))
  return below || itself ? elsewhere : word
}

const replacing = new Set(["mv", "ln", "cp", "rsync", "mount", "link"])

// Each operand may name what is put somewhere, or the folder in which it is.
const most = 200
const none: ReadonlySet<string> = new Set()

const add = (before: Replaced | undefined, named: ReadonlyArray<Word>, links: boolean): Replaced => {
  const names = named.flatMap(({ known }) => {
    const last = known.length > 1 ? undefined : known[0].split("/").findLast((name) => name !== "" && name !== ".")
    return last === undefined || last === ".." ? [] : [last]
  })
  const everything = before?.everything === true || names.length + (before?.folders.size ?? 0) > most
  if (everything) return { folders: none, links: none, anything: true, everything }
  return {
    everything,
    folders: new Set([...before?.folders ?? [], ...names]),
    links: links ? new Set([...before?.links ?? [], ...names]) : before?.links ?? none,
    anything: before?.anything === true || named.some(({ splits, value }) => value === undefined && splits)
  }
}
