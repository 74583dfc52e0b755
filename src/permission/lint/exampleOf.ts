/**
 * A call that a rule is about, to show what it does or does not do.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { Rule, Wildcard } from "../../domain/Rule.ts"
import { readLine } from "../bash/readLine.ts"
import { forms } from "../matchDemand.ts"
import { compilePath } from "../path/compilePath.ts"
import { matchPath } from "../path/matchPath.ts"
import { matchCommand } from "../rule/matchCommand.ts"
import { matchDomain } from "../rule/matchDomain.ts"
import type { Example } from "./Finding.ts"

/**
 * Returns a call that a rule matches, or undefined where none is found: then the
 * rule may match nothing at all.
 *
 * @category getters
 * @since 0.1.0
 */
export const exampleOf = (rule: Rule, place: Place): Example | undefined => {
  const { specifier } = rule.pattern
  const tool = filled(rule.pattern.tool)
  switch (specifier._tag) {
    case "Any":
      return { tool, input: anyInput(tool, place) }
    case "Command": {
      const command = `${filled(specifier.pieces)}${specifier.boundary ? " x" : ""}`.trim()
      const { commands, refused } = readLine(command)
      const matches = refused === undefined && commands.length === 1 &&
        commands.flatMap(forms).some((words) => matchCommand(specifier, words, rule.behavior) === "yes")
      return matches ? { tool, input: { command } } : undefined
    }
    case "Path": {
      const path = pathOf(rule, place)
      return path === undefined ? undefined : { tool, input: fileInput(tool, path) }
    }
    case "Domain": {
      const url = `https://${specifier.pattern.replaceAll("*", "x")}/`
      return matchDomain(specifier.pattern, url) === true ? { tool, input: { url, prompt: "x" } } : undefined
    }
    case "Name":
      return { tool, input: nameInput(tool, filled(specifier.pieces)) }
    case "Parameter":
      return { tool, input: { ...anyInput(tool, place), [specifier.parameter]: filled(specifier.pieces) } }
    case "Description":
    case "Inert":
      return undefined
  }
}

// A gap at the end may stand for nothing, which reads best.
const filled = (pieces: Wildcard): string =>
  (pieces.length > 1 && pieces.at(-1) === "" ? pieces.slice(0, -1) : pieces).join("x")

const fileInput = (tool: string, path: string): Example["input"] => {
  switch (tool) {
    case "Edit":
      return { file_path: path, old_string: "a", new_string: "b" }
    case "Write":
      return { file_path: path, content: "x" }
    default:
      return { file_path: path }
  }
}

const nameInput = (tool: string, name: string): Example["input"] =>
  tool === "Agent" ? { subagent_type: name, description: "x", prompt: "x" } : { name }

const anyInput = (tool: string, place: Place): Example["input"] => {
  switch (tool) {
    case "Bash":
    case "Monitor":
    case "PowerShell":
      return { command: "make" }
    case "Edit":
    case "Read":
    case "Write":
      return fileInput(tool, `${place.cwd}/x`)
    case "Glob":
    case "Grep":
      return { pattern: "x" }
    case "WebFetch":
      return { url: "https://example.com/", prompt: "x" }
    case "Agent":
    case "Skill":
      return nameInput(tool, "x")
    default:
      return {}
  }
}

const pathOf = (rule: Rule, place: Place): string | undefined => {
  const matcher = compilePath(rule, place)
  const folder = matcher?.folders[0]
  if (matcher === undefined || folder === undefined || /[\\[\]!?]/.test(matcher.pattern)) return undefined
  const relative = matcher.pattern.replace(/^\/\*\*\//, "/").replaceAll("**", "x").replaceAll("*", "x")
  const path = `${folder === "/" ? "" : folder}${relative === "/" ? "/x" : relative}`
  return matchPath(matcher, { written: path, real: [path] }, rule.behavior) ? path : undefined
}
