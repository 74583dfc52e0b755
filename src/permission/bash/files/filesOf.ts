/**
 * The files that a command names in its arguments, for rules about reading and
 * editing. Scripts that open files by themselves are beyond it.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../../../domain/ShellCommand.ts"
import { asOwnView } from "../ownView.ts"
import { filesIn } from "../readOnly/filesIn.ts"
import { lookers } from "../readOnly/programs/lookers.ts"
import { readArguments } from "../readOnly/readArguments.ts"
import type { FileUse } from "./FileUse.ts"
import { writers } from "./writers.ts"

/**
 * Returns every file argument of a recognised command, `/bin/cat` like `cat`.
 * Redirections and the commands it carries are not looked at.
 *
 * @category analysis
 * @since 0.1.0
 */
export const filesOf = (command: SimpleCommand): ReadonlyArray<FileUse> => {
  const [first, ...rest] = command.words
  const name = first?.value === undefined ? undefined : first.value.slice(first.value.lastIndexOf("/") + 1)
  if (name === undefined) return []
  const table = Object.hasOwn(writers, name) ? writers : lookers
  const program = Object.hasOwn(table, name) ? table[name] : undefined
  return program === undefined
    ? []
    : filesIn(program, readArguments(program, rest)).map((use) => ({ ...use, word: asOwnView(use.word) }))
}
