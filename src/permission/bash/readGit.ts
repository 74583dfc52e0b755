/**
 * Reads what `git` starts: the subcommand behind its global options, and the
 * programs that configuration and options name.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../../domain/ShellCommand.ts"
import { type Carried, type Context, type Reader, readTextOf, startsAt } from "./Context.ts"
import type { Started } from "./Line.ts"
import { anywhere, into } from "./Place.ts"

const harmless = new Set([
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs"
])

const flags = new Set([
  ...harmless,
  "-p",
  "--paginate",
  "--bare",
  "--no-replace-objects",
  "--no-lazy-fetch",
  "--no-advice",
  "--html-path",
  "--man-path",
  "--info-path",
  "--exec-path"
])

const valued = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source"
])

/**
 * Configuration whose value is a command line.
 *
 * @category tables
 * @since 0.1.0
 */
export const commandSettings =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.(?:external|.+\.(?:command|textconv))|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|pager\..+|interactive\.difffilter|(?:difftool|mergetool|browser|man)\..+\.cmd|gpg\.(?:.+\.)?program|sendemail\..*cmd|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack)|trailer\..+\.(?:cmd|command)|tar\..+\.command|instaweb\..+)$/i

/**
 * Reads `git`. Behind global options the same subcommand stands again without
 * them, so that rules for `git push` see it; where they can't change what runs
 * it is all that runs.
 *
 * @category reading
 * @since 0.1.0
 */
export const readGit: Reader = (started, context) => {
  const { words } = started
  const inner: Array<SimpleCommand> = []
  let plain = true
  let place = started.place
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]
    const value = word?.value
    if (word === undefined || value === undefined) {
      if (word?.splits === true || word?.known[0].startsWith("-") === true || word?.known[0] === "") {
        inner.push(...guessed(started, at, context))
        plain = false
      }
      if (word?.known[0].startsWith("-") === true) continue
      break
    }
    if (!value.startsWith("-")) break
    const name = value.startsWith("--") ? value.replace(/=[\s\S]*/, "") : value
    if (!harmless.has(name)) plain = false
    if (valued.has(name)) {
      const argument = value.includes("=") ? after(word) : words[++at]
      if (name === "-c") inner.push(...setting(argument, started, at, context))
      if (name === "-C") place = argument?.value === undefined ? anywhere : into(place, argument.value)
      else if (name !== "-c") place = anywhere
    } else if (!flags.has(name)) {
      inner.push(...guessed(started, at + 1, context))
    }
  }
  const rest = words.slice(at)
  const [git] = words
  if (git !== undefined && at > 1 && rest.length > 0) {
    inner.unshift(...startsAt({ ...started, words: [git, ...rest], place }, 0, context))
    return { carrier: "delegate", inner, transparent: plain && inner.length === 1, exactOnly: false }
  }
  const carried = rest[0]?.value === undefined ? [] : subcommand(rest[0].value, rest, started, context)
  inner.push(...carried)
  return inner.length === 0 ? undefined : delegate(inner)
}

const delegate = (inner: Carried["inner"]): Carried => ({
  carrier: "delegate",
  inner,
  transparent: false,
  exactOnly: false
})

// Where an option isn't known, each later word may be the subcommand.
const guessed = (started: Started, from: number, context: Context): ReadonlyArray<SimpleCommand> => {
  const [git] = started.words
  if (git === undefined || !context.generous) return []
  const shallow = { ...context, generous: false }
  return started.words.slice(from, from + 16).flatMap((_, index) =>
    startsAt({ ...started, words: [git, ...started.words.slice(from + index)] }, 0, shallow)
  )
}

const setting = (
  word: Word | undefined,
  started: Started,
  at: number,
  context: Context
): ReadonlyArray<SimpleCommand> => {
  if (word === undefined) return []
  const text = word.known[0]
  const key = text.replace(/=[\s\S]*/, "")
  const value = after(word)
  if (key.toLowerCase().startsWith("alias.")) {
    const alias = value.known[0]
    if (alias.startsWith("!")) return readTextOf([{ ...value, ...cut(value, 1) }], started, context)
    const [git] = started.words
    if (git === undefined || value.value === undefined) return []
    const names = value.value.split(/\s+/).filter((name) => name !== "").map((name): Word => ({
      ...value,
      source: name,
      known: [name],
      value: name
    }))
    return startsAt({ ...started, words: [git, ...names, ...started.words.slice(at + 2)] }, 0, context)
  }
  if (!commandSettings.test(key)) return []
  return readTextOf([value.known[0].startsWith("!") ? { ...value, ...cut(value, 1) } : value], started, context)
}

const after = (word: Word): Word => {
  const skip = word.known[0].indexOf("=") + 1
  return { ...word, ...cut(word, skip) }
}

const cut = (word: Word, skip: number): Pick<Word, "known" | "value"> => {
  const [first, ...rest] = word.known
  return { known: [first.slice(skip), ...rest], value: word.value?.slice(skip) }
}

// Options of subcommands whose value a shell runs.
const textOptions: ReadonlyMap<string, RegExp> = new Map([
  ["rebase", /^(?:-x|--exec)(?:=|$)|^-x./],
  ["difftool", /^(?:-x|--extcmd)(?:=|$)|^-x./],
  ["grep", /^(?:-O.|--open-files-in-pager=)/],
  ["clone", /^(?:-u|--upload-pack)(?:=|$)/],
  ["fetch", /^--upload-pack(?:=|$)/],
  ["pull", /^--upload-pack(?:=|$)/],
  ["ls-remote", /^(?:--upload-pack|--exec)(?:=|$)/],
  ["push", /^--(?:receive-pack|exec)(?:=|$)/],
  ["archive", /^--exec(?:=|$)/],
  ["send-email", /^--(?:smtp-server|sendmail-cmd|to-cmd|cc-cmd|header-cmd)(?:=|$)/],
  ["filter-branch", /^--(?:[a-z]+-filter|setup)(?:=|$)/]
])

const subcommand = (
  name: string,
  rest: ReadonlyArray<Word>,
  started: Started,
  context: Context
): ReadonlyArray<SimpleCommand> => {
  const found: Array<SimpleCommand> = []
  const option = textOptions.get(name)
  if (option !== undefined) {
    rest.forEach((word, index) => {
      const text = word.known[0]
      if (!option.test(text)) return
      const glued = text.includes("=")
        ? after(word)
        : /^-[xO]./.test(text)
        ? { ...word, ...cut(word, 2) }
        : rest[index + 1]
      if (glued !== undefined) found.push(...readTextOf([glued], started, context))
    })
  }
  const second = rest[1]?.value
  if (name === "bisect" && second === "run") found.push(...startsAt({ ...started, words: rest }, 2, context))
  if (name === "submodule") {
    const at = rest.findIndex((word) => word.value === "foreach")
    const texts = at < 0
      ? []
      : rest.slice(at + 1).filter((word) => word.known[0] !== "--recursive" && word.known[0] !== "--quiet")
    if (texts.length > 0) found.push(...readTextOf(texts, { ...started, place: anywhere }, context))
  }
  if (name === "config") found.push(...configured(rest, started, context))
  return found
}

// `git config alias.x '!cmd'` is run by a later `git x`.
const configured = (rest: ReadonlyArray<Word>, started: Started, context: Context): ReadonlyArray<SimpleCommand> => {
  const at = rest.findIndex((word, index) =>
    index > 0 && word.value !== undefined && (commandSettings.test(word.value) || /^alias\./i.test(word.value))
  )
  const value = at < 0 ? undefined : rest[at + 1]
  if (value === undefined) return []
  if (value.known[0].startsWith("!")) return readTextOf([{ ...value, ...cut(value, 1) }], started, context)
  return /^alias\./i.test(rest[at]?.value ?? "") ? [] : readTextOf([value], started, context)
}
