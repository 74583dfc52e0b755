/**
 * One file that a command would touch through its arguments.
 *
 * @since 0.1.0
 */
import type { Word } from "../../../domain/ShellCommand.ts"

/**
 * What a command would do with one file argument.
 *
 * **Details**
 *
 * - `word` may be unknown before the command runs; whoever judges it decides
 *   what "maybe" means. A word with an empty `source` was not written: it is
 *   the folder that the program takes when none is named.
 * - `recursive`: the contents of everything below a folder are meant as well.
 *   A program that only lists names (`find`, `ls -R`) is not recursive here.
 *
 * @category models
 * @since 0.1.0
 */
export interface FileUse {
  readonly access: "read" | "edit" | "remove"
  readonly word: Word
  readonly recursive: boolean
}
