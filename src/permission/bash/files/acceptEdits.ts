/**
 * Commands that the mode `acceptEdits` may permit like edits: the simple ones
 * that make, move and remove files and do nothing else.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../../../domain/ShellCommand.ts"
import type { Program } from "../readOnly/Program.ts"
import { scripts } from "../readOnly/programs/scripts.ts"
import { type Arguments, hasFlag, readArguments } from "../readOnly/readArguments.ts"
import { isSafeVariable } from "../safeVariables.ts"
import { writers } from "./writers.ts"

/**
 * The programs.
 *
 * @category data
 * @since 0.1.0
 */
export const acceptEditsPrograms: ReadonlySet<string> = new Set(["mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed"])

/**
 * True when all that a command does is to change the files that `filesOf`
 * lists: every flag is known, no word may become one, and a script of `sed`
 * neither runs nor writes anything by itself.
 *
 * @category predicates
 * @since 0.1.0
 */
export const editsOnly = (command: SimpleCommand): boolean => {
  const [first, ...rest] = command.words
  if (first?.value === undefined || !acceptEditsPrograms.has(first.value)) return false
  if (!command.assignments.every(({ name }) => isSafeVariable(name)) || command.inner.length > 0) return false
  const program: Program | undefined = first.value === "sed" ? scripts["sed"] : writers[first.value]
  if (program === undefined) return false
  const given = readArguments(program, rest)
  const known = given.options.every(({ flag, name }) =>
    flag !== undefined && (flag.danger === undefined || inPlace.has(name))
  )
  return known && given.unclear.length === 0 && program.check?.(given) === undefined && !merges(first.value, given)
}

// The contents of a folder may hold any name, and land beside what is there.
const merges = (name: string, given: Arguments): boolean =>
  (name === "cp" || name === "mv") && (name === "mv" || hasFlag(given, "-a --archive -R -r --recursive")) &&
  (hasFlag(given, "-T --no-target-directory") ||
    given.operands.some(({ known }, index) =>
      (index < given.operands.length - 1 || hasFlag(given, "-t --target-directory")) &&
      /\/$|(?:^|\/)\.{1,2}$/.test(known.at(-1) ?? "")
    ))

const inPlace = new Set(["-i", "--in-place", "-I"])

/**
 * True when a command removes files: `rm` and `rmdir`, by whatever path.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRemoval = (command: SimpleCommand): boolean => /(^|\/)(rm|rmdir)$/.test(command.words[0]?.value ?? "")
