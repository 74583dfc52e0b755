/**
 * What is known of a program's command line, as data that a person can read
 * and extend. One table serves both questions: does this only look, and which
 * files does it touch.
 *
 * @since 0.1.0
 */
import type { FileUse } from "../files/FileUse.ts"
import type { Arguments } from "./readArguments.ts"

/**
 * What the words of a command are that are no flags.
 *
 * **Details**
 *
 * - `none`: there may be none; `text`: they are no files.
 * - `reads`, `edits`, `removes`: each is a file, used so.
 * - `pattern`: the first is a pattern unless a flag of `patternFlags` gave one,
 *   the others are files that are read.
 * - `thenEdits`: the first is text (a mode, an owner), the others are changed.
 * - `copies`, `moves`, `links`: the last is the destination and the others its
 *   sources, unless `--target-directory` names the destination.
 * - `lastEdited`: all but the last are read.
 *
 * @category models
 * @since 0.1.0
 */
export type Operands =
  | "none"
  | "text"
  | "reads"
  | "edits"
  | "removes"
  | "pattern"
  | "thenEdits"
  | "copies"
  | "moves"
  | "links"
  | "lastEdited"

/**
 * A program, or a subcommand of one.
 *
 * **Details**
 *
 * Flags are written as in `parseFlags`. A flag in `flags` is harmless; one in
 * `dangers` writes, runs or reaches out, and the text beside it says which. Any
 * other flag is unknown, and a command with an unknown flag is not read-only.
 *
 * @category models
 * @since 0.1.0
 */
export interface Program {
  readonly flags?: string
  readonly dangers?: ReadonlyArray<readonly [flags: string, does: string]>
  readonly operands?: Operands
  /**
   * A word with a dash before it is read as `clusters` (`-la`), as `apart`, clusters whose values are always words of
   * their own, or `whole` (`-name`); `anything`: all words are text.
   */
  readonly style?: "clusters" | "apart" | "whole" | "anything"
  /** `-5` is a number and harmless. */
  readonly digits?: boolean
  /** Options end at the first operand. Other programs differ by system, so that values behind operands may be files. */
  readonly stops?: boolean
  /** `--` ends nothing: what looks like a flag behind it still is one. */
  readonly unending?: boolean
  /** Flags may stand anywhere on every system. */
  readonly permutes?: boolean
  /** Flags that give the pattern, so that the first operand is a file. */
  readonly patternFlags?: string
  /** Works on the current folder when no file is named: always, or with one of these flags. */
  readonly here?: true | string | ((given: Arguments) => boolean)
  /** Reaches below folders: always, with one of these flags, or where this says so. */
  readonly recursive?: true | string | ((given: Arguments) => boolean)
  /** Flags with which the contents of what links lead to are read as well, wherever that is. */
  readonly follows?: string
  /** Why this never only looks. */
  readonly never?: string
  /** What the words after the program's own options may begin with. */
  readonly subcommands?: Readonly<Record<string, Program>>
  /** A further look at what was written: why it does not only look, or undefined. */
  readonly check?: (given: Arguments) => string | undefined
  /** The files it touches, where `operands` is too simple for it. */
  readonly files?: (given: Arguments) => ReadonlyArray<FileUse>
}

/**
 * Programs by name.
 *
 * @category models
 * @since 0.1.0
 */
export type Programs = Readonly<Record<string, Program>>
