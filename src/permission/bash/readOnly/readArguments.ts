/**
 * Reads the words after a program's name the way `getopt` does: clusters
 * (`-la`), attached values (`-ofile`, `--file=x`), numbers (`-5`) and `--`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"
import { keepsBeginning, mayBecomeFlag, mayBecomeMany } from "./mayBecomeFlag.ts"
import { type Flag, flagsOf } from "./parseFlags.ts"
import type { Program } from "./Program.ts"
import { tailOf } from "./tailOf.ts"

/**
 * One flag as it was written. `flag` is undefined when the program's table does
 * not have it; `attached` are values inside the same word, `taken` the words
 * after it that it takes. `late`: it stands behind an operand, where not every
 * system still looks for flags.
 *
 * @category models
 * @since 0.1.0
 */
export interface Option {
  readonly name: string
  readonly flag: Flag | undefined
  readonly attached: Word | undefined
  readonly taken: ReadonlyArray<Word>
  readonly late: boolean
}

/**
 * The words of a command, read.
 *
 * **Details**
 *
 * `unclear` words may become flags, or may shift which word is the value of
 * which flag, when the line runs. They are among `operands` too. `ended` counts
 * the operands before `--`, or is undefined without one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arguments {
  readonly words: ReadonlyArray<Word>
  readonly options: ReadonlyArray<Option>
  readonly operands: ReadonlyArray<Word>
  readonly unclear: ReadonlyArray<Word>
  readonly ended: number | undefined
}

/**
 * Reads the words that follow a program's name.
 *
 * @category parsing
 * @since 0.1.0
 */
export const readArguments = (program: Program, words: ReadonlyArray<Word>): Arguments => {
  if (program.style === "anything") return { words, options: [], operands: words, unclear: [], ended: undefined }
  const reading = new Reading(program, words)
  reading.all()
  return reading
}

/**
 * Every value that a flag was given, the attached one first.
 *
 * @category getters
 * @since 0.1.0
 */
export const valuesOf = (option: Option): ReadonlyArray<Word> =>
  option.attached === undefined ? option.taken : [option.attached, ...option.taken]

/**
 * True when one of the flags, written as in `parseFlags` without values, was
 * given.
 *
 * @category predicates
 * @since 0.1.0
 */
export const hasFlag = (given: Arguments, names: string): boolean => {
  if (given.options.length === 0) return false
  const list = listed(names)
  return given.options.some((option) => list.has(option.name))
}

const lists = new Map<string, ReadonlySet<string>>()

const listed = (names: string): ReadonlySet<string> => {
  const known = lists.get(names)
  if (known !== undefined) return known
  const list = new Set(names.split(" "))
  lists.set(names, list)
  return list
}

class Reading implements Arguments {
  readonly options: Array<Option> = []
  readonly operands: Array<Word> = []
  readonly unclear: Array<Word> = []
  ended: number | undefined = undefined
  private at = 0
  private readonly program: Program
  readonly words: ReadonlyArray<Word>
  private readonly flags: ReadonlyMap<string, Flag>

  constructor(program: Program, words: ReadonlyArray<Word>) {
    this.program = program
    this.words = words
    this.flags = flagsOf(program)
  }

  all(): void {
    while (this.at < this.words.length) {
      const word = this.words[this.at++]
      if (word !== undefined) this.one(word)
    }
  }

  private one(word: Word): void {
    if (this.ended !== undefined || (this.program.stops === true && this.operands.length > 0)) {
      this.operands.push(word)
    } else if (word.value === "--") {
      if (this.program.unending !== true) this.ended = this.operands.length
    } else if (mayBecomeFlag(word)) {
      this.unclear.push(word)
      this.operands.push(word)
    } else if (word.known[0].startsWith("-") && word.value !== "-") {
      this.option(word)
    } else {
      this.operands.push(word)
    }
  }

  private option(word: Word): void {
    const head = word.known[0]
    if (this.program.style === "whole") this.whole(word)
    else if (head.startsWith("--")) this.long(word)
    else this.cluster(word)
  }

  private long(word: Word): void {
    const head = word.known[0]
    const equals = head.indexOf("=")
    if (equals < 0 && word.value === undefined) return this.unknown(word, head)
    if (equals < 0) return this.push(head, this.flags.get(head), undefined, word)
    this.push(head.slice(0, equals), this.flags.get(head.slice(0, equals)), tailOf(word, equals + 1), word)
  }

  private cluster(word: Word): void {
    const head = word.known[0]
    let strange = false
    for (let i = 1; i < head.length; i++) {
      const letter = head.charAt(i)
      if (this.program.digits === true && /[0-9]/.test(letter)) continue
      const name = `-${letter}`
      const flag = this.flags.get(name)
      if (this.program.style === "apart") {
        const digits = /^\d*/.exec(head.slice(i + 1))?.[0].length ?? 0
        const number = name === "-L" && digits > 0
        this.push(name, flag, number ? tailOf(word, i + 1) : undefined, word)
        if (number) i += digits
        continue
      }
      const rest = i + 1 < head.length || word.value === undefined
      if (flag !== undefined && flag.values !== "") {
        return this.push(name, flag, rest ? tailOf(word, i + 1) : undefined, word)
      }
      // what follows the first unknown letter may be its value
      this.push(name, flag, flag === undefined && rest && !strange ? tailOf(word, i + 1) : undefined, word)
      strange ||= flag === undefined
    }
    if (word.value === undefined) this.unclear.push(word)
  }

  private whole(word: Word): void {
    const head = word.known[0]
    const exact = this.flags.get(head)
    if (word.value !== undefined && exact !== undefined) return this.push(head, exact, undefined, word)
    if (head.includes("=")) return this.long(word)
    const short = this.flags.get(head.slice(0, 2))
    const digits = /^-[A-Za-z](0x)?[0-9]+$/.test(head)
    if (word.value !== undefined && digits && short !== undefined && short.values !== "") {
      return this.push(head.slice(0, 2), short, tailOf(word, 2), word)
    }
    if (word.value !== undefined && this.program.digits === true && /^-[0-9]+$/.test(head)) return
    this.unknown(word, head)
  }

  private push(name: string, flag: Flag | undefined, attached: Word | undefined, word: Word): void {
    if (!keepsBeginning(word)) this.unclear.push(word)
    const taken: Array<Word> = []
    const wanted = flag === undefined || flag.optional ? 0 : flag.values.length - (attached === undefined ? 0 : 1)
    for (let i = 0; i < wanted; i++) {
      const next = this.words[this.at]
      if (next === undefined) break
      this.at++
      if (mayBecomeMany(next)) this.unclear.push(next)
      taken.push(next)
    }
    this.options.push({ name, flag, attached, taken, late: this.operands.length > 0 })
  }

  private unknown(word: Word, name: string): void {
    this.options.push({ name, flag: undefined, attached: undefined, taken: [], late: this.operands.length > 0 })
    if (word.value === undefined) this.unclear.push(word)
  }
}
