/**
 * The command line of `find`: starting points, then an expression of tests and
 * actions that take words.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import type { FileUse } from "../files/FileUse.ts"
import { uses } from "./filesIn.ts"
import type { Program } from "./Program.ts"
import type { Arguments } from "./readArguments.ts"
import { unwritten } from "./tailOf.ts"

const newer = "aBcm".split("").flatMap((from) => "aBcmt".split("").map((to) => `-newer${from}${to}:`)).join(" ")

/**
 * How `find` is read. What a test compares with (`-newer file`) is looked at
 * and not opened.
 *
 * @category data
 * @since 0.1.0
 */
export const findExpression: Program = {
  style: "whole",
  unending: true,
  flags: `
    -H -L -P -O0 -O1 -O2 -O3 -E -X -d -s -x -f: -D: -daystart -depth -follow -ignore_readdir_race
    -noignore_readdir_race -maxdepth: -mindepth: -mount -noleaf -nowarn -warn -regextype: -xdev -amin: -anewer:
    -atime: -cmin: -cnewer: -ctime: -empty -executable -false -fstype: -gid: -group: -ilname: -iname: -inum: -ipath:
    -iregex: -iwholename: -links: -lname: -mmin: -mtime: -name: -newer: -nogroup -nouser -path: -perm: -readable
    -regex: -samefile: -size: -true -type: -uid: -used: -user: -wholename: -writable -xtype: -context: -print -print0
    -printf: -ls -prune -quit -a -and -o -or -not -help -version --help --version ${newer}
  `,
  dangers: [
    ["-delete", "deletes what it finds"],
    ["-exec -execdir -ok -okdir", "runs a command for what it finds"],
    ["-fprint> -fprint0> -fls> -fprintf>:", "writes a file"],
    ["-files0-from<", "searches the folders that another file names"]
  ],
  operands: "text",
  here: true,
  files: (given) => found(given)
}

const found = (given: Arguments): ReadonlyArray<FileUse> => {
  const roots = rootsOf(given.words)
  const deletes = given.options.some((option) => option.name === "-delete")
  const from = roots.length === 0 && deletes ? [unwritten(".")] : roots
  return [...uses("read", roots), ...(deletes ? uses(isNarrowed(given) ? "edit" : "remove", from, true) : [])]
}

/** Whether only files of a certain name are meant: then the folder itself stays, and most of what is in it. */
const isNarrowed = ({ options, words }: Arguments): boolean =>
  options.some(({ name, taken }) => named.test(name) && taken.some(({ value }) => /[\p{L}\p{N}]/u.test(value ?? ""))) &&
  !words.some(({ value }) => value === undefined || /^(?:!|-not|-o|-or|,)$/.test(value))

const named = /^-i?(?:name|path|wholename|regex)$/

const rootsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const roots: Array<Word> = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (word?.value === "--") continue
    if (word === undefined || /^([()!,]$|-[^HLPOEXdsxfD])/.test(word.known[0]) || isTest(word)) break
    if (word.value === "-D") i++
    else if (!word.known[0].startsWith("-")) roots.push(word)
  }
  return roots
}

const isTest = (word: Word): boolean =>
  /^-[a-zA-Z]{2,}/.test(word.known[0]) && !/^-[HLPEXdsxO0-9]+$/.test(word.known[0])
