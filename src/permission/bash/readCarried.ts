/**
 * Finds the reader for what a command starts, by its program.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { carriers, type CarrierSpec } from "./carriers.ts"
import {
  type Carried,
  type Context,
  elsewhere,
  type Reader,
  startsAnywhere,
  startsAt,
  unknownCommand
} from "./Context.ts"
import type { Started } from "./Line.ts"
import { optionTexts } from "./optionTexts.ts"
import { readFd, readFind } from "./readFind.ts"
import { readGit } from "./readGit.ts"
import { sedRuns } from "./readOnly/programs/scripts.ts"
import { gap } from "./readOnly/tailOf.ts"
import { readOptionTexts } from "./readOptionTexts.ts"
import { readKeptRemote, readRemote } from "./readRemote.ts"
import {
  readAlias,
  readCallback,
  readEval,
  readLater,
  readRebinding,
  readShell,
  readSource,
  readTrap,
  shells
} from "./readShell.ts"
import { readWrapper } from "./readWrapper.ts"
import { subcommandCarriers } from "./subcommandCarriers.ts"
import { withoutOptions } from "./withoutOptions.ts"
import { certainWord } from "./WordDraft.ts"

/**
 * Returns what a command carries, or undefined when it starts nothing else.
 *
 * @category reading
 * @since 0.1.0
 */
export const readCarried = (started: Started, context: Context): Carried | undefined => {
  const [program] = started.words
  if (program === undefined) return undefined
  const name = program.value
  if (name === undefined) return readUnnamed(started, context)
  if (name.includes("/")) return readPath(name, started, context)
  if (loader.test(name)) return readWrapper(started, 1, loading, context)
  const forms = withoutOptions(started.words)
  const carried = readers.get(name)?.(started, context)
  return forms.length === 0 ? carried : alsoAs(forms, started, carried, context)
}

// A rule that denies `kubectl delete` means `kubectl -n prod delete` too.
const alsoAs = (
  forms: ReadonlyArray<ReadonlyArray<Word>>,
  started: Started,
  carried: Carried | undefined,
  context: Context
): Carried => ({
  carrier: carried?.carrier ?? "delegate",
  inner: [
    ...carried?.inner ?? [],
    ...forms.flatMap((words) => startsAt({ ...started, words }, 0, { ...context, generous: false }))
  ],
  transparent: false,
  exactOnly: carried?.exactOnly ?? false
})

// The system's loader of programs is a program itself, with a version in its name.
const loader = /^ld(?:-linux\b|-musl-|-[\d.]+\.so|\.so|64\.so)/
const loading: CarrierSpec = { options: "--list --verify --inhibit-cache --library-path: --preload: --argv0: --audit:" }

// Of `$SUDO rm x` the program may be `rm`, or whatever starts it; of `$HOME/bin/rm x` it is called `rm`.
const readUnnamed = (started: Started, context: Context): Carried | undefined => {
  if (!context.generous) return undefined
  const plain = { ...context, generous: false }
  const [program] = started.words
  const end = program?.known.at(-1) ?? ""
  const base = end.slice(end.lastIndexOf("/") + 1)
  const inner = [
    ...startsAt(started, 1, plain),
    ...(end === base || base === ""
      ? []
      : startsAt({ ...started, words: [certainWord(base, base), ...started.words.slice(1)] }, 0, plain))
  ]
  return inner.length === 0 ? undefined : { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

// A rule that denies `rm` means `/bin/rm` too; one that allows `sed` doesn't mean `./sed`.
const readPath = (name: string, started: Started, context: Context): Carried | undefined => {
  const base = name.slice(name.lastIndexOf("/") + 1)
  if (base === "") return undefined
  const words: ReadonlyArray<Word> = [certainWord(base, base), ...started.words.slice(1)]
  return {
    carrier: "delegate",
    inner: startsAt({ ...started, words }, 0, context),
    transparent: false,
    exactOnly: false
  }
}

// `command -v x` and `builtin` without a word only say something.
const readCommandWord = (started: Started, context: Context): Carried | undefined =>
  started.words.slice(1).some((word, index, all) =>
      /^-[pvV]*[vV]/.test(word.value ?? "") &&
      all.slice(0, index).every((before) => before.value?.startsWith("-") === true)
    )
    ? undefined
    : readWrapper(started, 1, carriers.get("command") ?? {}, context)

const wrapper = (spec: CarrierSpec): Reader => (started, context) => readWrapper(started, 1, spec, context)

const subcommands = (table: Readonly<Record<string, CarrierSpec>>, whole: Reader | undefined): Reader => {
  const known = new Map(Object.entries(table))
  const two = new Set([...known.keys()].filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]))
  return (started, context) => {
    const { words } = started
    for (let at = 1; at < words.length; at++) {
      const value = words[at]?.value
      if (value === undefined) {
        return {
          carrier: "delegate",
          inner: startsAnywhere(started, at + 1, context),
          transparent: false,
          exactOnly: false
        }
      }
      if (value.startsWith("-")) continue
      const pair = two.has(value) ? `${value} ${words[at + 1]?.value ?? ""}` : value
      const spec = known.get(pair)
      if (spec !== undefined) return readWrapper(started, at + (pair === value ? 1 : 2), spec, context)
      // The word may be the value of an option before it.
      if (words[at - 1]?.value?.startsWith("-") !== true && !compose.has(value)) break
    }
    return whole?.(started, context)
  }
}

// What `s///e` runs is what it read, which only running tells.
const readSed: Reader = (started, context) => {
  const runs = sedRuns(started.words.slice(1))
  if (runs.length === 0) return undefined
  const inner = elsewhere(started, context, (inside) =>
    runs.flatMap((text) =>
      text === "" || text.includes(gap)
        ? [unknownCommand(started, inside)]
        : inside.text(text, started.place, started.input, { ...inside, depth: inside.depth + 1 })
    ))
  return { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

// What follows `--` are the words of a shell.
const readCapsh: Reader = (started, context) => {
  const at = started.words.findIndex(({ value }) => value === "--" || value === "==")
  if (at < 0) return undefined
  const words: ReadonlyArray<Word> = [certainWord("bash", "bash"), ...started.words.slice(at + 1)]
  return {
    carrier: "delegate",
    inner: startsAt({ ...started, words }, 0, context),
    transparent: false,
    exactOnly: false
  }
}

/** Reads what a program starts by its words, and what its options name beside that. */
const beside = (reader: Reader | undefined, options: Reader): Reader => (started, context) => {
  const named = options(started, context)
  const carried = reader?.(started, context)
  if (named === undefined || carried === undefined) return named ?? carried
  return { ...carried, inner: [...carried.inner, ...named.inner], transparent: false }
}

const compose = new Set(["compose", "container", "workspace"])

const tables: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...[...carriers].map(([name, spec]): [string, Reader] => [name, wrapper(spec)]),
  ...[...subcommandCarriers].map(([name, table]): [string, Reader] => [name, subcommands(table, undefined)])
])

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...tables,
  ...[...optionTexts].map(([name, given]): [string, Reader] => [
    name,
    beside(tables.get(name), readOptionTexts(name, given))
  ]),
  ...shells.map((name): [string, Reader] => [name, readShell]),
  ["command", readCommandWord],
  ["eval", readEval],
  ["trap", readTrap],
  ["source", readSource],
  [".", readSource],
  ["alias", readAlias],
  ["mapfile", readCallback],
  ["readarray", readCallback],
  ["compgen", readCallback],
  ["complete", readCallback],
  ["hash", readRebinding],
  ["enable", readRebinding],
  ["shopt", readRebinding],
  ["at", readLater],
  ["batch", readLater],
  ["find", readFind],
  ["gfind", readFind],
  ["bfs", readFind],
  ["fd", readFd],
  ["fdfind", readFd],
  ["git", readGit],
  ["ssh", readRemote],
  ["autossh", readKeptRemote],
  ["capsh", readCapsh],
  ["sed", readSed],
  ["gsed", readSed]
])
