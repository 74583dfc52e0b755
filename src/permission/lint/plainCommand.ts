/**
 * Command patterns that are text and gaps and nothing else, so that what they
 * cover can be compared exactly.
 *
 * @since 0.1.0
 */
import type { Specifier } from "../../domain/Rule.ts"
import type { ShellLine, SimpleCommand } from "../../domain/ShellCommand.ts"
import { filesOf } from "../bash/files/filesOf.ts"
import { readLine } from "../bash/readLine.ts"
import { forms } from "../matchDemand.ts"
import { compileCommand } from "../rule/compileCommand.ts"
import { type CommandPattern, matchCommand } from "../rule/matchCommand.ts"
import type { Bounded } from "./containsText.ts"

/**
 * Returns a command pattern as text with gaps, or undefined where quotes or the
 * shell's own characters leave room for doubt.
 *
 * @category getters
 * @since 0.1.0
 */
export const plainCommand = (specifier: Specifier): Bounded | undefined => {
  if (specifier._tag !== "Command") return undefined
  const { boundary, special, written } = compileCommand(specifier)
  // Each rule is compared with many others.
  if (!plainness.has(specifier)) plainness.set(specifier, !special && written.every((piece) => plain.test(piece)))
  return plainness.get(specifier) === true ? { pieces: written, boundary } : undefined
}

/**
 * Says whether a pattern covers no more by spelling a command out than by
 * matching it. A rule that spells a command out also covers those that no
 * pattern covers, and the files that they write.
 *
 * @category predicates
 * @since 0.1.0
 */
export const onlyMatches = (pattern: Bounded): boolean => {
  if (pattern.boundary) return true
  const command = spelledCommand(pattern)
  return command !== undefined && !command.exactOnly && command.inner.length === 0 &&
    command.assignments.length === 0 && command.redirects.length === 0 &&
    filesOf(command).every(({ access }) => access === "read")
}

/**
 * Says whether a rule that denies or asks also reaches the line that a pattern
 * spells out, if it can spell out any.
 *
 * @category predicates
 * @since 0.1.0
 */
export const reachesSpelled = (outer: CommandPattern, inner: Bounded): boolean => {
  if (inner.boundary) return true
  const command = spelledCommand(inner)
  return command !== undefined && forms(command).some((words) => matchCommand(outer, words, "deny") === "yes")
}

const plainness = new WeakMap<Specifier, boolean>()

const plain = /^[A-Za-z0-9_./:=@%+, -]*$/

const spelledCommand = ({ pieces }: Bounded): SimpleCommand | undefined => onlyCommand(readLine(pieces.join("*")))

const onlyCommand = ({ commands, refused }: ShellLine): SimpleCommand | undefined =>
  refused === undefined && commands.length === 1 ? commands[0] : undefined
