/**
 * Reads what shells and the shell's own evaluators run: `bash -c`, a text on
 * a shell's standard input, `eval`, `trap`, `source`, `alias`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import {
  type Carried,
  type Context,
  elsewhere,
  type Reader,
  readTextOf,
  startsAnywhere,
  unknownCommand
} from "./Context.ts"
import { refuse, type Started } from "./Line.ts"
import { anywhere } from "./Place.ts"

const runtime = "a command text that only running the line tells"

/**
 * Reads a shell that is started by name. Only those that read no start-up
 * file are transparent, and of the plain `sh` only what every shell reads
 * alike.
 *
 * @category reading
 * @since 0.1.0
 */
export const readShell: Reader = (started, outer) => {
  const rehomed = started.assignments.some(({ name }) => name === "HOME" || name === "CDPATH")
  const unusual = started.words.some(({ value }) => value !== undefined && unusualOption.test(value))
  const context = rehomed || unusual
    ? { ...outer, rehomed: true, reglobbed: outer.reglobbed === true || unusual }
    : outer
  const { words } = started
  const name = words[0]?.value ?? ""
  const startup = words.find((word, index) =>
    /^--(?:rcfile|init-file)$/.test(words[index - 1]?.value ?? "") && readsInput(word)
  )
  if (startup !== undefined) return readWritten(startup, started, context)
  const options = passShellOptions(words)
  if (options.unclear) {
    refuse(context.line, runtime)
    return interpreted(startsAnywhere(started, options.at, context), false)
  }
  const operand = words[options.at]
  if (options.text) {
    if (operand === undefined) return undefined
    const inner = readTextOf([operand], started, context)
    const alike = name === "bash" || !onlyBash.test(operand.value ?? "")
    return interpreted(inner, quiet.has(name) && !options.startsFiles && alike)
  }
  if (operand !== undefined && !options.input && !readsInput(operand)) return undefined
  if (operand !== undefined && isOtherDescriptor(operand)) return readWritten(operand, started, context)
  if (started.input.kind === "text") {
    const inner = context.text(started.input.text, started.place, { kind: "unknown" }, {
      ...context,
      depth: context.depth + 1
    })
    return interpreted(inner, false)
  }
  if (started.input.kind === "none" && !(operand !== undefined && readsInput(operand))) return undefined
  refuse(context.line, runtime)
  return interpreted([unknownCommand(started, context)], false)
}

/**
 * Reads `at` and `batch`, which run their standard input later.
 *
 * @category reading
 * @since 0.1.0
 */
export const readLater: Reader = (started, context) => {
  const { input } = started
  if (input.kind === "none") return undefined
  const later = { ...started, place: anywhere }
  const inner = elsewhere(later, context, (inside) =>
    input.kind === "text"
      ? inside.text(input.text, anywhere, input, { ...inside, depth: inside.depth + 1 })
      : [unknownCommand(later, inside)])
  return { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

/**
 * The shells that are known by name.
 *
 * @category tables
 * @since 0.1.0
 */
export const shells: ReadonlyArray<string> = [
  "bash",
  "sh",
  "dash",
  "ash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "lksh",
  "pdksh",
  "yash",
  "rbash",
  "fish",
  "csh",
  "tcsh",
  "osh",
  "posh",
  "hush"
]

const unusualOption = /^(?:nocaseglob|extglob|dotglob|cdable_vars|cdspell|autocd)$/

const quiet: ReadonlySet<string> = new Set(["bash", "sh", "dash"])

const onlyBash = /\$['"]|[<>]\(|&>|\|&|<<<|\[\[|\(\(|\{[^}]*(?:,|\.\.)|\bfunction\b|\bcoproc\b|\bselect\b|\btime\b/

/**
 * Reads `eval`, which joins its words to a text.
 *
 * @category reading
 * @since 0.1.0
 */
export const readEval: Reader = (started, context) => {
  const rest = started.words.slice(started.words[1]?.value === "--" ? 2 : 1)
  return rest.length === 0 ? undefined : interpreted(readTextOf(rest, started, context), true)
}

/**
 * Reads `trap`: its text runs later, wherever the shell then is.
 *
 * @category reading
 * @since 0.1.0
 */
export const readTrap: Reader = (started, context) => {
  const rest = started.words.slice(started.words[1]?.value === "--" ? 2 : 1)
  const [text] = rest
  if (text === undefined || rest.length < 2 || text.value === "" || text.value === "-") return undefined
  if (text.value !== undefined && /^-[lp]+$/.test(text.value)) return undefined
  return interpreted(readTextOf([text], { ...started, place: anywhere }, context), true)
}

/**
 * Reads `source`. A file is as good as a program; text that a command writes
 * is only known when that is plain.
 *
 * @category reading
 * @since 0.1.0
 */
export const readSource: Reader = (started, context) => {
  const file = started.words[started.words[1]?.value === "--" ? 2 : 1]
  if (file === undefined || !readsInput(file)) return undefined
  if (started.input.kind === "text" && !file.source.startsWith("<(") && !isOtherDescriptor(file)) {
    return interpreted(context.text(started.input.text, started.place, started.input, context), false)
  }
  return readWritten(file, started, context)
}

const readWritten = (file: Word, started: Started, context: Context): Carried => {
  const written = writtenBy(file)
  if (written !== undefined) return interpreted(context.text(written, started.place, started.input, context), false)
  refuse(context.line, runtime)
  return interpreted([unknownCommand(started, context)], false)
}

/**
 * Reads `alias`: what its text starts may be denied; that it changes what a
 * later name means is never understood.
 *
 * @category reading
 * @since 0.1.0
 */
export const readAlias: Reader = (started, context) => {
  const texts = started.words.slice(1).filter((word) => word.value === undefined || word.value.includes("="))
  if (texts.length === 0) return undefined
  refuse(context.line, "an alias")
  const inner = texts.flatMap((word) => {
    const [first, ...rest] = word.known
    const known: Word["known"] = [first.slice(first.indexOf("=") + 1), ...rest]
    return readTextOf([{ ...word, known, value: word.value?.slice(word.value.indexOf("=") + 1) }], started, context)
  })
  return { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

/**
 * Reads the builtins that call a text for each thing they handle: `mapfile -C`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readCallback: Reader = (started, context) => {
  const inner = started.words.flatMap((word, index) =>
    started.words[index - 1]?.value === "-C" ? readTextOf([word], started, context) : []
  )
  return inner.length === 0 ? undefined : { ...interpreted(inner, false), carrier: "delegate" }
}

/**
 * Refuses what changes the meaning of later names: `hash -p`, `enable -n`,
 * `shopt -s expand_aliases`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readRebinding: Reader = ({ words }, { line }) => {
  const rebinds = words.some(({ known: [text], value }, index) =>
    index > 0 &&
    (value === undefined || text === "expand_aliases" || (words[0]?.value !== "shopt" && /^-\w*[pfnd]/.test(text)))
  )
  if (rebinds) refuse(line, "a name that comes to mean another program")
  return undefined
}

const interpreted = (inner: Carried["inner"], transparent: boolean): Carried => ({
  carrier: "interpreter",
  inner,
  transparent,
  exactOnly: false
})

interface ShellOptions {
  readonly at: number
  readonly text: boolean
  readonly input: boolean
  readonly startsFiles: boolean
  readonly unclear: boolean
}

const passShellOptions = (words: ReadonlyArray<Word>): ShellOptions => {
  let [at, text, input, startsFiles] = [1, false, false, false]
  for (; at < words.length; at++) {
    const value = words[at]?.value
    if (value === undefined) {
      const unclear = words[at]?.splits === true || words[at]?.known[0].startsWith("-") === true
      return { at, text, input, startsFiles, unclear }
    }
    if (value === "--" || value === "-") {
      at++
      break
    }
    if (!/^[-+]./.test(value)) break
    if (value.startsWith("--")) {
      startsFiles ||= !/^--(?:norc|noprofile|posix|verbose|restricted|noediting)$/.test(value)
      if (value === "--rcfile" || value === "--init-file") at++
      continue
    }
    text ||= value.startsWith("-") && value.includes("c")
    input ||= value.startsWith("-") && value.includes("s")
    startsFiles ||= /[lic]/.test(value.replace("c", ""))
    // Each `o` in a cluster takes the name of an option from the words after it.
    at += (value.match(/[oO]/g) ?? []).length
  }
  return { at, text, input: input && !text, startsFiles, unclear: false }
}

// A process substitution or standard input in the place of a script.
const readsInput = (word: Word): boolean =>
  word.source.startsWith("<(") || word.value === "-" ||
  /^\/dev\/+stdin$|^\/(?:dev|proc\/[^/]+)\/+fd\//.test(word.value ?? "")

const isOtherDescriptor = (word: Word): boolean =>
  /\/fd\//.test(word.value ?? "") && !/\/fd\/+0*$/.test(word.value ?? "")

const writtenBy = (word: Word): string | undefined =>
  /^<\(\s*(?:echo|printf)\s+(?:'([^'\\%]*)'|"([^"\\$`%]*)"|([\w ./-]*))\s*\)$/.exec(word.source)?.slice(1)
    .find((text) => text !== undefined)
