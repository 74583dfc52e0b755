/**
 * Chooses how the content of a rule's parentheses is read, by the tool.
 *
 * @since 0.1.0
 */
import { inputFields } from "./inputFields.ts"
import { readCommand } from "./readCommand.ts"
import { readDomain } from "./readDomain.ts"
import type { Reader } from "./Reader.ts"
import { readName } from "./readName.ts"
import { readParameter } from "./readParameter.ts"
import { readPath } from "./readPath.ts"
import { loss, warning } from "./RuleProblem.ts"

/**
 * Reads the content of a rule's parentheses for its tool.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readSpecifier: Reader = (content, reading) => {
  const { behavior, offset, tool } = reading
  const pathTool = pathTools.get(tool)
  const reader = readers.get(tool)

  if (content.trim().length === 0) {
    const message = "empty parentheses are neither a pattern nor the whole tool"
    return { specifier: undefined, problems: [loss(behavior, message, offset, tool)] }
  }
  const files = pathTool !== undefined || reader === readPath
  if (content === "*" || (!files && /^\*+$/.test(content))) {
    return { specifier: { _tag: "Any" }, problems: mcpProblems(reading) }
  }
  if (tool.startsWith("mcp__") || tool.includes("*")) {
    const specifier = behavior === "allow" ? undefined : { _tag: "Any" as const }
    return { specifier, problems: mcpProblems(reading) }
  }

  const parameter = readParameter(content, reading)
  if (parameter !== undefined && "problems" in parameter) return parameter
  if (parameter !== undefined) {
    const meant = readSpecifier(parameter.value, reading)
    const message = `a rule on \`${parameter.field}\` is not looked at; \`${tool}\` has patterns for it`
    const problem = warning(message, offset, `${tool}(${parameter.value})`)
    if (behavior === "allow") return { specifier: { _tag: "Inert", text: content }, problems: [problem] }
    return { ...meant, problems: [problem, ...meant.problems] }
  }
  if (pathTool !== undefined) {
    const meant = readSpecifier(content, { ...reading, tool: pathTool })
    const message = `\`${tool}(path)\` is not looked at; rules for files are \`Edit\` and \`Read\``
    const problem = warning(message, 0, `${pathTool}(${content})`)
    if (behavior === "allow") return { specifier: { _tag: "Inert", text: content }, problems: [problem] }
    return { tool: pathTool, ...meant, problems: [problem, ...meant.problems] }
  }
  if (reader !== undefined) return reader(content, reading)

  const fields = inputFields(tool)
  const message = fields === undefined
    ? `a rule for \`${tool}\` takes nothing in parentheses but a field of its input and a value`
    : `a rule for \`${tool}\` takes nothing in parentheses`
  const specifier = behavior === "allow" ? { _tag: "Inert" as const, text: content } : { _tag: "Any" as const }
  return { specifier, problems: [loss(behavior, message, offset, tool)] }
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ["Agent", readName],
  ["Bash", readCommand],
  ["Cd", readPath],
  ["Edit", readPath],
  ["Monitor", readCommand],
  ["PowerShell", readCommand],
  ["Read", readPath],
  ["Skill", readName],
  ["WebFetch", readDomain]
])

const pathTools: ReadonlyMap<string, string> = new Map([
  ["Glob", "Read"],
  ["Grep", "Read"],
  ["LSP", "Read"],
  ["MultiEdit", "Edit"],
  ["NotebookEdit", "Edit"],
  ["NotebookRead", "Read"],
  ["Write", "Edit"]
])

const mcpProblems = ({ behavior, offset, tool }: Parameters<Reader>[1]): ReturnType<Reader>["problems"] =>
  tool.startsWith("mcp__") || tool.includes("*")
    ? [loss(behavior, `nothing may stand in parentheses after \`${tool}\``, offset - 1, tool)]
    : []
