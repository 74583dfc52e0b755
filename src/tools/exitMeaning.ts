/**
 * What the exit code of a command means.
 *
 * @since 0.1.0
 */
import { constants } from "node:os"
import { parse, type PipelineNode } from "unbash"

/**
 * Says what exit code 1 means of a command that uses it for an answer and not
 * for a failure, such as `grep` that finds nothing. Gives nothing for a failure.
 *
 * **Details**
 *
 * Every command that the code may come from has to be such a one. A `cd` before
 * it may be there when nothing was printed, since a `cd` that fails complains.
 *
 * **Example** (Nothing found)
 *
 * ```ts
 * import { benignMeaning } from "toolgate/tools/exitMeaning"
 *
 * benignMeaning("git status | grep modified", 1, "") // => "no line matched"
 * benignMeaning("make", 1, "") // => undefined
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const benignMeaning = (command: string, code: number, output: string): string | undefined => {
  if (code !== 1) return undefined
  const script = parse(command)
  if ((script.errors ?? []).length > 0) return undefined
  const last = script.commands.at(-1)
  if (last === undefined || last.background === true) return undefined
  const nodes: ReadonlyArray<PipelineNode> = last.command.type === "AndOr" ? last.command.commands : [last.command]
  if (last.command.type === "AndOr" && last.command.operators.includes("||")) return undefined
  const meanings = nodes.map((node, index) =>
    index < nodes.length - 1 && isCd(node) && output === "" ? "" : meaningOf(node)
  )
  return meanings.includes(undefined) ? undefined : meanings.at(-1)
}

/**
 * Says what an exit code says of a command that failed, beside the code itself:
 * nothing, for most of them.
 *
 * @category rendering
 * @since 0.1.0
 */
export const failureMeaning = (code: number): string => {
  if (code === 126) return "the command can't be executed"
  if (code === 127) return "a command was not found"
  const signal = code > 128 ? signalNames.get(code - 128) : undefined
  return signal === undefined ? "" : `the command ended as if by ${signal}`
}

/**
 * The exit code that a shell gives for a signal.
 *
 * @category getters
 * @since 0.1.0
 */
export const codeOfSignal = (signal: string): number => {
  const entry = [...signalNames].find(([, name]) => name === signal)
  return entry === undefined ? 128 : 128 + entry[0]
}

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name])
)

const noLine = "no line matched"

const meanings: ReadonlyMap<string, string> = new Map([
  ["grep", noLine],
  ["egrep", noLine],
  ["fgrep", noLine],
  ["rg", noLine],
  ["git grep", noLine],
  ["find", "some folders could not be searched"],
  ["diff", "the files differ"],
  ["git diff", "there are differences"],
  ["test", "the condition is false"],
  ["[", "the condition is false"]
])

const meaningOf = (node: PipelineNode): string | undefined => {
  if (node.type === "TestCommand") return "the condition is false"
  if (node.type === "Pipeline") {
    const last = node.commands.at(-1)
    return node.prefixes.some((prefix) => prefix.type === "Negation") || last === undefined
      ? undefined
      : meaningOf(last)
  }
  if (node.type !== "Command" || node.name === undefined) return undefined
  const name = node.name.value
  if (name !== "git") return meanings.get(name)
  const [first] = node.args
  return first?.type === "Word" ? meanings.get(`git ${first.value}`) : undefined
}

const isCd = (node: PipelineNode): boolean => node.type === "Command" && node.name?.value === "cd"
