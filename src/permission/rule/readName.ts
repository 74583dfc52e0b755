/**
 * Reads what stands in the parentheses of a rule for agents and skills.
 *
 * @since 0.1.0
 */
import { isAnything, readBoundary } from "./readBoundary.ts"
import type { Reader } from "./Reader.ts"
import { loss } from "./RuleProblem.ts"

/**
 * Reads a name with its gaps.
 *
 * **Details**
 *
 * `deploy *` is the skill with or without arguments. `plugin:*` is every skill
 * of that plugin and, since `:*` elsewhere means the same as ` *`, the name
 * itself.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readName: Reader = (content, { behavior, offset, tool }) => {
  const text = tool === "Skill" ? content.replace(/^[\s/]+/, "").trimEnd() : content.trim()
  if (tool === "Agent" && text.includes(",")) {
    const names = text.split(",").map((name) => `${tool}(${name.trim()})`)
    const problem = loss(behavior, "a rule names one agent; write one rule for each", offset, names.join(", "))
    return { specifier: behavior === "allow" ? { _tag: "Inert", text: content } : { _tag: "Any" }, problems: [problem] }
  }
  const { boundary, pieces } = readBoundary(text, "no colon")
  if (text.length === 0) return { specifier: undefined, problems: [loss(behavior, "the name is empty", offset)] }
  return {
    specifier: isAnything(pieces, boundary) ? { _tag: "Any" } : { _tag: "Name", pieces, boundary },
    problems: []
  }
}
