/**
 * Programs that carry out a small script: `sed`, `awk`, `jq`, `yq`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../../domain/ShellCommand.ts"
import type { FileUse } from "../../files/FileUse.ts"
import { checkAwkProgram } from "../checkAwkProgram.ts"
import { uses } from "../filesIn.ts"
import type { Program, Programs } from "../Program.ts"
import { type Arguments, hasFlag, readArguments, valuesOf } from "../readArguments.ts"
import { readSedScript } from "../readSedScript.ts"
import { baseOf, gap, namedIn } from "../tailOf.ts"

const runTime = "has a script that is only known when it runs"

const sed: Program = {
  flags: `
    -n --quiet --silent --debug -e: --expression: -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data
    --zero-terminated --posix --sandbox -l: --line-length: --follow-symlinks -b --binary --help --version
  `,
  dangers: [
    ["-i? --in-place? -I?", "changes files in place"],
    ["-f< --file<", "takes its script from a file"]
  ],
  operands: "pattern",
  patternFlags: "-e --expression -f --file",
  check: (given) => ofSed(given),
  files: (given) => sedFiles(given)
}

const awk: Program = {
  flags: "-F: --field-separator: -v: --assign: -V --version -h --help -P --posix -c --traditional -r --re-interval",
  dangers: [
    ["-f< --file< -E< --exec<", "takes its program from a file"],
    ["-i: --include: -l: --load:", "loads other code"],
    ["-o>? --pretty-print>? -p>? --profile>? -d>? --dump-variables>?", "writes a file"],
    ["-e: --source:", "may run what it names"],
    ["-W:", "may take a program from a file"],
    ["-D? --debug?", "starts a debugger"]
  ],
  operands: "pattern",
  stops: true,
  patternFlags: "-f --file -e --source",
  files: (given) => awkFiles(given),
  check: ({ operands: [program] }) =>
    program === undefined ? undefined : program.value === undefined ? runTime : checkAwkProgram(program.value)
}

/**
 * Small languages.
 *
 * @category data
 * @since 0.1.0
 */
export const scripts: Programs = {
  sed,
  gsed: sed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  jq: {
    flags: `
      --seq --stream --stream-errors -s --slurp -r --raw-output --raw-output0 -j --join-output -a --ascii-output -R
      --raw-input -c --compact-output -C --color-output -M --monochrome-output --tab --indent: --unbuffered -S
      --sort-keys -e --exit-status -n --null-input --arg:: --argjson:: --slurpfile:< --rawfile:< --argfile:< --args
      --jsonargs -h --help -V --version --build-configuration
    `,
    permutes: true,
    dangers: [
      ["-f< --from-file<", "takes its script from a file"],
      ["-L:", "takes its modules from another folder"]
    ],
    operands: "pattern",
    check: ({ operands: [filter] }) => filter === undefined ? undefined : ofJq(filter)
  },
  yq: {
    flags: `
      -r --raw-output --unwrapScalar? -e --exit-status -P --prettyPrint -C --colors --color-output -M --no-colors
      --monochrome-output -N --no-doc -n --null-input -j --tojson -y --yaml-output -Y --yaml-roundtrip -c
      --compact-output -o: --output-format: -p: --input-format: -S --sort-keys -h --help -V --version
    `,
    permutes: true,
    dangers: [
      ["-i --inplace --in-place", "changes files in place"],
      ["-s: --split-exp: --split-exp-file<", "writes a file for every part"],
      ["-f: --front-matter: --from-file<", "takes its script from elsewhere"],
      ["--security-enable-system-operator", "runs commands"]
    ],
    // two programs go by this name, and one of them takes a file where the other takes its script
    operands: "reads",
    check: ({ operands }) =>
      operands.every((word) =>
          word.value !== undefined && !/load|system|import|include|split_doc|envsubst/.test(word.value)
        )
        ? undefined
        : "may read or run more than it is given"
  }
}

/**
 * Returns the commands that a `sed` with these words after it starts; an empty text where those are what it reads.
 *
 * @category reading
 * @since 0.1.0
 */
export const sedRuns = (words: ReadonlyArray<Word>): ReadonlyArray<string> => {
  const given = readArguments(sed, words)
  return hasFlag(given, "--sandbox") ? [] : readSedScript(sedText(given)).runs
}

const sedText = (given: Arguments): string => sedScripts(given).map((word) => word.known.join(gap)).join("\n")

const sedScripts = (given: Arguments): ReadonlyArray<Word> => {
  const flags = given.options.filter(({ name }) => name === "-e" || name === "--expression")
  return flags.length > 0 ? flags.flatMap(valuesOf) : given.operands.slice(0, 1)
}

const ofSed = (given: Arguments): string | undefined => {
  const parts = sedScripts(given).map((word) => word.value)
  if (parts.includes(undefined)) return runTime
  return hasFlag(given, "--sandbox") ? undefined : readSedScript(parts.join("\n")).more
}

const sedFiles = (given: Arguments): ReadonlyArray<FileUse> => {
  const scripted = hasFlag(given, "-e --expression -f --file")
  const files = scripted ? given.operands : given.operands.slice(1)
  const { reads, writes } = readSedScript(sedText(given))
  return [
    ...uses(hasFlag(given, "-i --in-place -I") ? "edit" : "read", files),
    ...uses("edit", backups(given, files)),
    ...uses("read", reads.map(namedIn)),
    ...uses("edit", writes.map(namedIn))
  ]
}

// What is written in place is kept under a name made of a suffix, in which `*` stands for the old name, the whole or its
// last part: versions differ. A suffix may be a path.
const backups = (given: Arguments, files: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  given.options.filter(({ name }) => name === "-i" || name === "--in-place" || name === "-I").flatMap((option) => {
    const suffix = option.attached?.known.join(gap) ?? ""
    return suffix === "" ? [] : files.flatMap((file) => {
      const whole = file.known.join(gap)
      const base = baseOf(file).known.join(gap)
      const folder = whole.slice(0, whole.length - base.length)
      const named = (name: string) => suffix.includes("*") ? suffix.replaceAll("*", () => name) : name + suffix
      return [...new Set([named(whole), named(base), folder + named(base)])].map(namedIn)
    })
  })

// A plain `>` or `<` before text is how a program opens a file by itself.
const awkFiles = (given: Arguments): ReadonlyArray<FileUse> => {
  const filed = hasFlag(given, "-f --file -e --source")
  const inPlace = given.options.some(({ name, taken }) =>
    /^(-i|--include)$/.test(name) && taken[0]?.value === "inplace"
  )
  const program = (filed ? [] : given.operands.slice(0, 1)).map((word) => word.known.join(gap)).join("\n")
  const named = (sign: RegExp) => Array.from(program.matchAll(sign), (found) => namedIn(found[1] ?? ""))
  return [
    ...uses(inPlace ? "edit" : "read", filed ? given.operands : given.operands.slice(1)),
    ...uses("edit", named(/>\s*"([^"\n]*)"/g)),
    ...uses("read", named(/<\s*"([^"\n]*)"/g))
  ]
}

// Only the beginning of a filter may load modules, so one with a known beginning and no such word elsewhere cannot.
const ofJq = (filter: Word): string | undefined => {
  const text = filter.known.join(" ")
  if (/import|include/.test(text)) return "may load other files"
  if (filter.value === undefined && (/^\s*(#|$)/.test(filter.known[0]) || filter.splits)) return runTime
  return undefined
}
