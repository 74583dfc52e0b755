/**
 * The `hooks` of a settings text.
 *
 * @since 0.1.0
 */
import { type CommandHook, HookEvent, type UnsupportedHook } from "../../domain/Hook.ts"
import { nearest } from "../../domain/nearest.ts"
import type { Origin } from "../../domain/Rule.ts"
import { toolAliases, toolNames } from "../../domain/toolNames.ts"
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads every `hooks` of a text. A hook that can't be read costs that hook; what
 * may have kept a tool from running is an error.
 *
 * @category reading
 * @since 0.1.0
 */
export const readHooks = (reading: Reading.Reading, nodes: ReadonlyArray<Node>): Settings["hooks"] =>
  nodes.flatMap((node) => {
    if (node.type === "null") return []
    if (node.type !== "object") {
      Reading.hide(reading, node, `\`hooks\` must be an object, not ${Reading.kindOf(node)}`)
      return []
    }
    return Reading.members(reading, node, "hooks.").flatMap(({ key, name, value }) => {
      const event = HookEvent.literals.find((event) => event === key)
      if (event !== undefined) return readGroups(reading, event, value)
      noteUnknownEvent(reading, key, name)
      return []
    })
  })

type Hooks = Settings["hooks"]

// Events of the programs that share these files, which have nothing to do with running a tool.
const elsewhere: ReadonlySet<string> = new Set([
  "ConfigChange",
  "CwdChanged",
  "Elicitation",
  "ElicitationResult",
  "FileChanged",
  "InstructionsLoaded",
  "MessageDisplay",
  "Notification",
  "PostCompact",
  "PostModelSwitch",
  "PreCompact",
  "PreModelSwitch",
  "SessionEnd",
  "SessionStart",
  "Setup",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "TaskCompleted",
  "TaskCreated",
  "TeammateIdle",
  "UserPromptExpansion",
  "UserPromptSubmit",
  "WorktreeCreate",
  "WorktreeRemove"
])

const noteUnknownEvent = (reading: Reading.Reading, key: string, name: Node): void => {
  if (elsewhere.has(key) || key.startsWith("_") || key.startsWith("$") || key.startsWith("//")) return
  const [near] = nearest(key, [...HookEvent.literals, ...elsewhere], 1)
  const meant = near === undefined ? "" : `; \`${near}\` was probably meant`
  const severity = near === "PreToolUse" ? "error" : "warning"
  Reading.note(reading, severity, name, `there is no hook event \`${key}\`, so that its hooks never run${meant}`)
}

const noteLost = (reading: Reading.Reading, event: HookEvent, node: Node, message: string): void =>
  Reading.note(reading, event === "PreToolUse" ? "error" : "warning", node, message)

const readGroups = (reading: Reading.Reading, event: HookEvent, node: Node): Hooks => {
  if (node.type === "null") return []
  if (node.type !== "array") {
    noteLost(reading, event, node, `\`hooks.${event}\` must be a list, not ${Reading.kindOf(node)}, and runs nothing`)
    return []
  }
  return (node.children ?? []).flatMap((group) => readGroup(reading, event, group))
}

const readGroup = (reading: Reading.Reading, event: HookEvent, node: Node): Hooks => {
  if (node.type !== "object") {
    noteLost(reading, event, node, `an entry of \`hooks.${event}\` must be an object, not ${Reading.kindOf(node)}`)
    return []
  }
  const members = Reading.members(reading, node, "")
  const matcher = readMatcher(reading, event, members)
  const lists = members.filter(({ key }) => key === "hooks")
  if (lists.length === 0) {
    noteLost(reading, event, node, `an entry of \`hooks.${event}\` has no list \`hooks\`, and runs nothing`)
  }
  return lists.flatMap(({ value }) => {
    if (value.type !== "array") {
      noteLost(reading, event, value, `\`hooks\` must be a list, not ${Reading.kindOf(value)}, and runs nothing`)
      return []
    }
    return (value.children ?? []).flatMap((entry) => {
      const hook = readHook(reading, event, entry)
      return hook === undefined ? [] : [{ event, matcher, hook, ...positionOf(reading.at(entry)) }]
    })
  })
}

const positionOf = ({ column, line }: Origin): Pick<Hooks[number], "line" | "column"> => ({
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column })
})

const readMatcher = (reading: Reading.Reading, event: HookEvent, members: ReadonlyArray<Reading.Member>): string => {
  const node = members.findLast(({ key }) => key === "matcher")?.value
  if (node === undefined || node.type === "null") return ""
  const text = Reading.textOf(node)
  if (text !== undefined) {
    noteNoTool(reading, node, text)
    return text
  }
  noteLost(
    reading,
    event,
    node,
    `a matcher is a text, not ${Reading.kindOf(node)}, so that this one matches every tool`
  )
  return ""
}

/** Names are compared with their case, so that `bash` listens to nothing. */
const noteNoTool = (reading: Reading.Reading, node: Node, matcher: string): void => {
  if (!/^[A-Za-z,| ]+$/.test(matcher)) return
  for (const name of matcher.split(/[,|]/).map((part) => part.trim())) {
    const meant = [...toolNames, ...toolAliases.keys()].find((tool) => tool.toLowerCase() === name.toLowerCase())
    if (meant !== undefined && meant !== name && reading.place.known?.has(name) !== true) {
      Reading.note(
        reading,
        "warning",
        node,
        `no tool is named \`${name}\`, so that this matcher never matches it; \`${meant}\` was probably meant`
      )
    }
  }
}

const readHook = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node
): CommandHook | UnsupportedHook | undefined => {
  if (node.type !== "object") {
    noteLost(reading, event, node, `a hook is an object, not ${Reading.kindOf(node)}`)
    return undefined
  }
  const members = new Map(Reading.members(reading, node, "").map((member) => [member.key, member.value]))
  const type = members.get("type")
  const kind = type === undefined ? undefined : Reading.textOf(type)
  const command = textIn(members, "command")
  const shared = {
    ...present("if", textIn(members, "if")),
    ...present("onFailure", readOnFailure(reading, members))
  }
  if (kind === "command" || kind === undefined && command !== undefined) {
    if (command === undefined || command.trim() === "") {
      noteLost(reading, event, node, "a hook of type `command` needs a text `command`")
      return undefined
    }
    if (kind === undefined) Reading.note(reading, "warning", node, "a hook without a type is read as a command")
    if (textIn(members, "shell") === "powershell") {
      return unsupported(reading, event, node, "unknown", "powershell", shared)
    }
    return {
      type: "command",
      command,
      ...present("args", readArguments(reading, event, members)),
      ...present("timeout", readTimeout(reading, members)),
      ...present("statusMessage", textIn(members, "statusMessage")),
      ...shared
    }
  }
  const known = kinds.find((known) => known === kind)
  return unsupported(reading, event, node, known ?? "unknown", kind ?? "", shared)
}

const kinds = ["http", "prompt", "agent", "mcp_tool"] as const

const unsupported = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node,
  type: UnsupportedHook["type"],
  name: string,
  shared: Pick<UnsupportedHook, "if" | "onFailure">
): UnsupportedHook | undefined => {
  const what = name === "" ? "a hook without a type" : `a hook of type \`${name}\``
  if (event !== "PreToolUse") {
    Reading.note(reading, "warning", node, `${what} is not run`)
    return undefined
  }
  const instead = shared.onFailure === "block"
    ? "the calls it matches are denied"
    : shared.onFailure === "continue"
    ? "the calls it matches go on without it"
    : "the calls it matches ask"
  Reading.note(reading, "warning", node, `${what} is not run, so that ${instead}`)
  return { type, ...shared }
}

const readOnFailure = (
  reading: Reading.Reading,
  members: ReadonlyMap<string, Node>
): "block" | "continue" | undefined => {
  const node = members.get("onFailure")
  if (node === undefined || node.type === "null") return undefined
  const text = Reading.textOf(node)
  if (text === "block" || text === "continue") return text
  Reading.note(reading, "warning", node, "`onFailure` is either `\"block\"` or `\"continue\"`, and is left out")
  return undefined
}

const readArguments = (
  reading: Reading.Reading,
  event: HookEvent,
  members: ReadonlyMap<string, Node>
): ReadonlyArray<string> | undefined => {
  const node = members.get("args")
  if (node === undefined || node.type === "null") return undefined
  const texts = node.type === "array" ? (node.children ?? []).map(Reading.textOf) : [undefined]
  if (texts.every((text) => text !== undefined)) return texts
  noteLost(reading, event, node, "`args` must be a list of texts, and is left out")
  return undefined
}

const readTimeout = (reading: Reading.Reading, members: ReadonlyMap<string, Node>): number | undefined => {
  const node = members.get("timeout")
  if (node === undefined || node.type === "null") return undefined
  const value: unknown = node.value
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value
  Reading.note(reading, "warning", node, "`timeout` is a number of seconds above zero, and is left out")
  return undefined
}

const textIn = (members: ReadonlyMap<string, Node>, key: string): string | undefined => {
  const node = members.get(key)
  return node === undefined ? undefined : Reading.textOf(node)
}

const present = <Key extends string, Value>(
  key: Key,
  value: Value | undefined
): { readonly [K in Key]?: Value } =>
  // The computed key makes TypeScript forget which one it is.
  (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }
