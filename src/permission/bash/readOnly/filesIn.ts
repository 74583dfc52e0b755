/**
 * The files that a command touches, by its program's table.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import type { FileUse } from "../files/FileUse.ts"
import { isPipe, mayBecomeMany } from "./mayBecomeFlag.ts"
import type { Operands, Program } from "./Program.ts"
import { type Arguments, hasFlag, type Option, valuesOf } from "./readArguments.ts"
import { baseOf, below, unwritten } from "./tailOf.ts"

/**
 * Returns every file that the flags and the operands of a command name. Where
 * a flag is unknown, words are taken for files generously, so that a rule that
 * denies still fires.
 *
 * @category analysis
 * @since 0.1.0
 */
export const filesIn = (program: Program, given: Arguments): ReadonlyArray<FileUse> => {
  const recursive = asked(program.recursive, given)
  const named = program.files?.(given) ?? operandFiles(program, given, recursive)
  const files = [...fromFlags(given), ...lateValues(program, given), ...named].filter(isFile)
  if (files.some((file) => file.word.source !== "") || !asked(program.here, given)) return files
  return [...files, { access: "read", word: unwritten("."), recursive }]
}

// Standard input and output are no files, and a substitution is a pipe whose command is judged by itself.
const isFile = ({ access, word }: FileUse): boolean =>
  !isPipe(word) && (access === "remove" || word.value === undefined || !streams.test(word.value))

const streams = /^(-|\/dev\/(null|stdin|stdout|stderr|fd\/[0-9]+))$/

/**
 * Makes one use of each word.
 *
 * @category constructors
 * @since 0.1.0
 */
export const uses = (
  access: FileUse["access"],
  words: ReadonlyArray<Word>,
  recursive = false
): ReadonlyArray<FileUse> => words.map((word) => ({ access, word, recursive }))

/**
 * Returns the values of the flags that name files, and whatever an unknown flag
 * holds.
 *
 * @category analysis
 * @since 0.1.0
 */
export const fromFlags = (given: Arguments): ReadonlyArray<FileUse> => given.options.flatMap(ofOption)

const asked = (when: Program["recursive"], given: Arguments): boolean =>
  typeof when === "function" ? when(given) : when === true || (when !== undefined && hasFlag(given, when))

// On some systems flags end at the first operand, so that `head a -n /b` reads `/b`.
const lateValues = (program: Program, given: Arguments): ReadonlyArray<FileUse> =>
  program.permutes === true || (program.style ?? "clusters") !== "clusters" || program.subcommands !== undefined ||
    (program.operands !== "reads" && program.operands !== "pattern")
    ? []
    : given.options.flatMap(({ late, name, taken }) =>
      late && name.length === 2 ? uses("read", taken.filter(({ value }) => value !== "/")) : []
    )

const ofOption = (option: Option): ReadonlyArray<FileUse> => {
  const { attached, flag } = option
  if (flag === undefined) return attached === undefined ? [] : uses("read", [attached])
  return valuesOf(option).flatMap((word, index) => {
    const sign = flag.values[index]
    return sign === "<" ? uses("read", [word]) : sign === ">" ? uses("edit", [word]) : []
  })
}

const operandFiles = (program: Program, given: Arguments, recursive: boolean): ReadonlyArray<FileUse> => {
  const kind: Operands = program.operands ?? "none"
  const words = given.operands
  switch (kind) {
    case "none":
    case "text":
      return []
    case "reads":
      return uses("read", words, recursive)
    case "edits":
      return uses("edit", words, recursive)
    case "removes":
      return uses("remove", words, recursive)
    case "pattern":
      return uses("read", hasPattern(program, given) ? words : words.slice(1), recursive)
    case "thenEdits":
      return uses("edit", isUnsure(given) || hasFlag(given, "--reference") ? words : words.slice(1), recursive)
    case "lastEdited":
    case "copies":
    case "moves":
    case "links":
      return towards(kind, given, recursive)
  }
}

// A pattern that may be missing or may be several words leaves the place of the first file unknown.
const hasPattern = (program: Program, given: Arguments): boolean =>
  (program.patternFlags !== undefined && hasFlag(given, program.patternFlags)) || isUnsure(given)

const isUnsure = (given: Arguments): boolean =>
  given.unclear.length > 0 || given.options.some((option) => option.flag === undefined)

const towards = (kind: "copies" | "moves" | "links" | "lastEdited", given: Arguments, recursive: boolean) => {
  const words = given.operands
  const source = kind === "moves" ? "remove" : "read"
  const whole = recursive && kind !== "moves"
  const folders = given.options.filter(({ name }) => name === "-t" || name === "--target-directory").flatMap(valuesOf)
  if (hasFlag(given, "--parents")) {
    const [under, from] = folders.length > 0 ? [folders, words] : [words.slice(-1), words.slice(0, -1)]
    const paths = under.flatMap((folder) => from.map((word) => below(folder, word)))
    return [...uses(source, from, recursive), ...uses("edit", under, whole), ...uses("edit", paths, whole)]
  }
  if (isUnsure(given)) return [...uses(source, words, recursive), ...uses("edit", words, whole)]
  if (folders.length > 0) return [...uses(source, words, recursive), ...uses("edit", into(folders, words), whole)]
  if (kind === "links" && words.length === 1) {
    return [...uses("read", words), ...uses("edit", into([unwritten(".")], words))]
  }
  const last = words.slice(-1)
  const sources = last.some(mayBecomeMany) ? words : words.slice(0, -1)
  const inside = kind === "lastEdited" || hasFlag(given, "-T --no-target-directory") || isName(last, sources)
    ? []
    : uses("edit", into(last, sources), whole)
  return [...uses(source, sources, recursive), ...uses("edit", last, whole), ...inside]
}

// What a source would be called inside the destination, should that be a folder.
const into = (folders: ReadonlyArray<Word>, sources: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  folders.flatMap((folder) =>
    sources.map((word) => ({ ...below(folder, baseOf(word)), source: `${folder.source} ${word.source}`.trim() }))
  )

// One source and a destination like `name.ext` is a copy under another name, not into a folder.
const isName = (last: ReadonlyArray<Word>, sources: ReadonlyArray<Word>): boolean =>
  sources.length === 1 && last.every((word) => word.value !== undefined && /[^./]\.[^./]+$/.test(word.value))
