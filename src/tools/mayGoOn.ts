/**
 * Which commands may go on in the background when their time is up.
 *
 * @since 0.1.0
 */
import { type AndOr, parse, type PipelineNode } from "unbash"

/**
 * Whether a command that nobody asked to run in the background may do so at its
 * time limit. One that begins or ends with waiting is of no use there, one that
 * has to do with git would hold locks in the way of what follows, and of one that
 * can't be read nobody knows what it is.
 *
 * **Example** (A build goes on, a wait does not)
 *
 * ```ts
 * import { mayGoOn } from "toolgate/tools/mayGoOn"
 *
 * mayGoOn("npm run build") // => true
 * mayGoOn("sleep 1000") // => false
 * mayGoOn("cd x && git fetch") // => false
 * ```
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayGoOn = (command: string): boolean => {
  if (/\bgit\b/.test(command)) return false
  const script = parse(command)
  const ends = [script.commands.at(0), script.commands.at(-1)]
  return (script.errors ?? []).length === 0 &&
    !ends.some((statement) => statement !== undefined && waits(statement.command))
}

const waits = (node: AndOr | PipelineNode): boolean => {
  if (node.type === "Command") return node.name?.value === "sleep"
  if (node.type !== "AndOr" && node.type !== "Pipeline") return false
  const ends = [node.commands.at(0), node.commands.at(-1)]
  return ends.some((inner) => inner !== undefined && waits(inner))
}
