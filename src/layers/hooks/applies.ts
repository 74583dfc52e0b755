/**
 * The `if` of a hook: one permission rule that says for which calls it runs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dirname } from "node:path"
import type { HookEntry } from "../../domain/Hook.ts"
import type { Place } from "../../domain/Place.ts"
import type { Pattern, Rule } from "../../domain/Rule.ts"
import type { ShellLine } from "../../domain/ShellCommand.ts"
import { canonicalName } from "../../domain/toolNames.ts"
import { absolute } from "../../permission/absolute.ts"
import { readLine } from "../../permission/bash/readLine.ts"
import { demandsOf } from "../../permission/demandsOf.ts"
import { forms } from "../../permission/matchDemand.ts"
import { compilePath } from "../../permission/path/compilePath.ts"
import { coversFolder, matchPath } from "../../permission/path/matchPath.ts"
import { matchCommand } from "../../permission/rule/matchCommand.ts"
import { matchDomain } from "../../permission/rule/matchDomain.ts"
import { matchName } from "../../permission/rule/matchName.ts"
import { matchParameter } from "../../permission/rule/matchParameter.ts"
import { matchTool } from "../../permission/rule/matchTool.ts"
import { parseRule } from "../../permission/rule/parseRule.ts"
import type { HookCall } from "../../services/HookRunner.ts"
import type { PathResolver } from "../../services/PathResolver.ts"

/**
 * Whether a hook's `if` lets it run for a call.
 *
 * **Details**
 *
 * It is a filter, not a gate, and opens where it can't tell: a rule that can't
 * be read, a line that is not fully understood, a word or a file that only
 * running tells. Commands are looked for wherever they hide in a line, without
 * their assignments; a Read or Edit rule reaches what a line opens.
 *
 * @category selecting
 * @since 0.1.0
 */
export const applies = (
  entry: HookEntry,
  call: HookCall,
  paths: PathResolver["Service"]
): Effect.Effect<boolean> => {
  const text = entry.hook.if
  if (text === undefined || text.trim() === "") return open
  const { pattern } = parseRule(text, { behavior: "ask", source: entry.source, known: new Set([call.tool]) })
  if (pattern === undefined) return open
  switch (pattern.specifier._tag) {
    case "Any":
      return Effect.succeed(matchTool(pattern.tool, call.tool))
    case "Command":
      return Effect.succeed(isShell(call.tool) && pattern.tool[0] === shellRule(call.tool) && ofLine(pattern, call))
    case "Path":
      return ofFiles(pattern, entry, call, paths)
    case "Domain":
      return Effect.succeed(
        matchTool(pattern.tool, call.tool) &&
          (matchDomain(pattern.specifier.pattern, textAt(call, "url") ?? "") ?? true)
      )
    case "Name": {
      const name = textAt(call, "subagent_type") ?? textAt(call, "skill") ?? textAt(call, "command")
      return Effect.succeed(
        matchTool(pattern.tool, call.tool) && (name === undefined || matchName(pattern.specifier, name))
      )
    }
    case "Parameter":
      return Effect.succeed(matchTool(pattern.tool, call.tool) && matchParameter(pattern.specifier, call.input))
    case "Description":
    case "Inert":
      return Effect.succeed(matchTool(pattern.tool, call.tool))
  }
}

const open = Effect.succeed(true)

const textAt = (call: HookCall, field: string): string | undefined => {
  const value = call.input[field]
  return typeof value === "string" ? value : undefined
}

const isShell = (tool: string): boolean => tool === "Bash" || tool === "Monitor" || tool === "PowerShell"

const shellRule = (tool: string): string => tool === "PowerShell" ? tool : "Bash"

const ofLine = (pattern: Pattern, call: HookCall): boolean => {
  const command = textAt(call, "command")
  const { specifier } = pattern
  if (command === undefined || specifier._tag !== "Command" || call.tool === "PowerShell") return true
  const line: ShellLine = readLine(command)
  return line.refused !== undefined ||
    line.commands.some((one) => forms(one).some((words) => matchCommand(specifier, words, "ask") !== "no"))
}

const editors: ReadonlySet<string> = new Set(["Edit", "Write", "NotebookEdit"])
const readers: ReadonlySet<string> = new Set(["Read", "Grep", "Glob", "LSP"])

const ofFiles = Effect.fnUntraced(function*(
  pattern: Pattern,
  entry: HookEntry,
  call: HookCall,
  paths: PathResolver["Service"]
): Effect.fn.Return<boolean> {
  const place = placeOf(call, paths)
  const rule: Pick<Rule, "behavior" | "pattern" | "base"> = {
    behavior: "allow",
    pattern,
    base: baseOf(entry, call, paths)
  }
  const matcher = compilePath(rule, place)
  if (matcher === undefined) return true
  const reads = canonicalName(pattern.tool[0] ?? "") === "Read"
  const files = filesOf(call, place, reads)
  if (files === undefined) return true

  for (const file of files) {
    if (file.path === undefined) return true
    const resolved = yield* paths.resolve(file.path)
    const forms = [resolved.written, ...resolved.real]
    if (forms.some((written) => matchPath(matcher, { written, real: [] }, "allow"))) return true
    if (file.folder && coversFolder(matcher, resolved)) return true
  }
  return false
})

interface Opened {
  readonly path: string | undefined
  readonly folder: boolean
}

// What a call opens in the way that the rule is about; undefined where that can't be told.
const filesOf = (call: HookCall, place: Place, reads: boolean): ReadonlyArray<Opened> | undefined => {
  if (call.tool === "PowerShell") return undefined
  if (isShell(call.tool)) {
    const command = textAt(call, "command")
    if (command === undefined) return undefined
    const line = readLine(command)
    if (line.refused !== undefined) return undefined
    return demandsOf(call.tool, { _tag: "Shell", command }, line, place).flatMap((demand) =>
      demand._tag === "File" && (demand.access === "read") === reads
        ? [{ path: demand.path, folder: demand.recursive }]
        : []
    )
  }
  if (!(reads ? readers : editors).has(call.tool)) return []
  const path = textAt(call, "file_path") ?? textAt(call, "notebook_path") ?? textAt(call, "path")
  const folder = call.tool === "Grep" || call.tool === "Glob"
  if (path === undefined) return folder ? [{ path: place.cwd, folder }] : undefined
  return [{ path: absolute(path, place), folder }]
}

const placeOf = (call: HookCall, paths: PathResolver["Service"]): Place => ({
  cwd: call.context.cwd,
  projectRoot: call.policy.projectRoot,
  home: paths.home,
  directories: [...call.context.directories, ...call.policy.directories],
  platform: paths.platform,
  caseInsensitive: paths.caseInsensitive,
  protectedPaths: []
})

const baseOf = (entry: HookEntry, call: HookCall, paths: PathResolver["Service"]): string => {
  switch (entry.source) {
    case "projectSettings":
      return call.policy.projectRoot
    case "userSettings":
      return `${paths.home}/.claude`
    case "flagSettings":
      return entry.file === undefined ? call.context.cwd : dirname(entry.file)
    case "policySettings":
      return "/"
    default:
      return call.context.cwd
  }
}
