/**
 * The `hooks` of a settings text.
 *
 * @since 0.1.0
 */
import { type Hook, HookEvent, type UnsupportedHook } from "../../domain/Hook.ts"
import { nearest } from "../../domain/nearest.ts"
import type { Origin } from "../../domain/Rule.ts"
import { toolAliases, toolNames } from "../../domain/toolNames.ts"
import * as Matcher from "../hooks/Matcher.ts"
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads every `hooks` of a text. A hook that can't be read costs that hook; what
 * may have kept a tool from running is an error, and holds back what it matches.
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
    return unreadable(reading, event, node, `\`hooks.${event}\` must be a list, not ${Reading.kindOf(node)}`)
  }
  return (node.children ?? []).flatMap((group) => readGroup(reading, event, group))
}

const readGroup = (reading: Reading.Reading, event: HookEvent, node: Node): Hooks => {
  const entry = `an entry of \`hooks.${event}\``
  if (node.type !== "object") {
    return unreadable(reading, event, node, `${entry} must be an object, not ${Reading.kindOf(node)}`)
  }
  const members = Reading.members(reading, node, "")
  const matcher = readMatcher(reading, event, members)
  const lists = members.filter(({ key }) => key === "hooks")
  // A hook that stands where a list of them belongs says itself what it is about.
  const shared = () => readShared(reading, event, new Map(members.map(({ key, value }) => [key, value])))
  if (lists.length === 0) {
    return unreadable(reading, event, node, `${entry} has no list \`hooks\``, matcher, shared())
  }
  return lists.flatMap(({ value }) => {
    if (value.type !== "array") {
      const problem = `\`hooks\` must be a list, not ${Reading.kindOf(value)}`
      return unreadable(reading, event, value, problem, matcher, shared())
    }
    return (value.children ?? []).flatMap((entry) => {
      const hook = readHook(reading, event, entry)
      return hook === undefined ? [] : [{ event, matcher, hook, ...positionOf(reading.at(entry)) }]
    })
  })
}

/** What may have been a gate stays one, though nobody can tell what it would have asked about. */
const unreadable = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node,
  problem: string,
  matcher = "",
  shared: Shared = {}
): Hooks => {
  const hook = unusable(reading, event, node, problem, shared)
  return hook === undefined ? [] : [{ event, matcher, hook, ...positionOf(reading.at(node)) }]
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
    noteNoTool(reading, node, text, "this matcher never matches it")
    const { matches, problem } = Matcher.read(text)
    if (unlikeNames.test(text) && ![...toolNames].some(matches)) {
      const matcher = `the matcher \`${text.slice(0, 100)}\``
      noteLost(
        reading,
        event,
        node,
        `${matcher} matches no name of a tool; a rule such as \`Bash(git *)\` belongs into \`if\``
      )
    }
    if (problem !== undefined) {
      const matcher = `the matcher \`${text.slice(0, 100)}\``
      noteLost(reading, event, node, `${matcher} ${problem}, so that its hooks run for every tool`)
    }
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

// What is a rule, or an expression between slashes as languages write one.
const unlikeNames = /^\s*\w+\(.*\)\s*$|\//s

/** Names are compared with their case, so that `bash` listens to nothing. */
const noteNoTool = (reading: Reading.Reading, node: Node, names: string, lost: string): void => {
  if (!/^[\w\-,| ]+$/.test(names)) return
  for (const name of names.split(/[,|]/).map((part) => part.trim())) {
    if (/^mcp__(?:(?!__).)+$/.test(name)) {
      Reading.note(
        reading,
        "warning",
        node,
        `\`${name}\` is the name of a server and of no tool, so that ${lost}; \`${name}__.*\` was probably meant`
      )
    }
    const meant = [...toolNames, ...toolAliases.keys()].find((tool) => tool.toLowerCase() === name.toLowerCase())
    if (meant !== undefined && meant !== name && reading.place.known?.has(name) !== true) {
      Reading.note(
        reading,
        "warning",
        node,
        `no tool is named \`${name}\`, so that ${lost}; \`${meant}\` was probably meant`
      )
    }
  }
}

const readHook = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node
): Hook | undefined => {
  if (node.type !== "object") {
    return unusable(reading, event, node, `a hook is an object, not ${Reading.kindOf(node)}`, {})
  }
  const members = new Map(Reading.members(reading, node, "").map((member) => [member.key, member.value]))
  const type = members.get("type")
  const kind = type === undefined ? undefined : Reading.textOf(type)
  const command = textIn(members, "command")
  const shared = readShared(reading, event, members)
  if (kind === "command" || kind === undefined && command !== undefined) {
    if (command === undefined || command.trim() === "") {
      return unusable(reading, event, node, "a hook of type `command` needs a text `command`", shared)
    }
    if (kind === undefined) Reading.note(reading, "warning", node, "a hook without a type is read as a command")
    if (textIn(members, "shell") === "powershell") {
      return unsupported(reading, event, node, "unknown", "powershell", shared)
    }
    return {
      type: "command",
      command,
      ...present("args", readTexts(reading, event, members, "args")),
      ...present("async", readFlag(reading, members, "async") ?? readFlag(reading, members, "asyncRewake")),
      ...shared
    }
  }
  if (kind === "http") {
    const url = textIn(members, "url")?.trim() ?? ""
    if (url === "") {
      return unusable(reading, event, node, "a hook of type `http` needs a text `url`", shared)
    }
    return {
      type: "http",
      url,
      ...present("headers", readHeaders(reading, members)),
      ...present("allowedEnvVars", readTexts(reading, event, members, "allowedEnvVars")),
      ...shared
    }
  }
  if (kind === "prompt") {
    const prompt = textIn(members, "prompt") ?? ""
    if (prompt.trim() === "") {
      return unusable(reading, event, node, "a hook of type `prompt` needs a text `prompt`", shared)
    }
    return {
      type: "prompt",
      prompt,
      ...present("model", textIn(members, "model")),
      ...present("continueOnBlock", readFlag(reading, members, "continueOnBlock")),
      ...shared
    }
  }
  const known = kinds.find((known) => known === kind)
  return unsupported(reading, event, node, known ?? "unknown", kind ?? "", shared)
}

const kinds = ["agent", "mcp_tool"] as const

type Shared = Omit<UnsupportedHook, "type" | "problem">

const readShared = (reading: Reading.Reading, event: HookEvent, members: ReadonlyMap<string, Node>): Shared => ({
  ...present("if", readCondition(reading, event, members)),
  ...present("timeout", readTimeout(reading, members)),
  ...present("statusMessage", textIn(members, "statusMessage")),
  ...present("once", readFlag(reading, members, "once")),
  ...present("onFailure", readOnFailure(reading, members))
})

const unusable = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node,
  problem: string,
  shared: Shared
): UnsupportedHook | undefined => {
  noteLost(
    reading,
    event,
    node,
    `${problem}, and is not run${event === "PreToolUse" ? `, so that ${instead(shared)}` : ""}`
  )
  return event === "PreToolUse" ? { type: "unknown", problem, ...shared } : undefined
}

const unsupported = (
  reading: Reading.Reading,
  event: HookEvent,
  node: Node,
  type: UnsupportedHook["type"],
  name: string,
  shared: Shared
): UnsupportedHook | undefined => {
  const what = name === "" ? "a hook without a type" : `a hook of type \`${name}\``
  if (event !== "PreToolUse") {
    Reading.note(reading, "warning", node, `${what} is not run`)
    return undefined
  }
  Reading.note(reading, "warning", node, `${what} is not run, so that ${instead(shared)}`)
  return { type, ...shared }
}

const instead = ({ onFailure }: Shared): string =>
  onFailure === "block"
    ? "the calls it matches are denied"
    : onFailure === "continue"
    ? "the calls it matches go on without it"
    : "the calls it matches ask"

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

/** After a batch there is no one tool that a rule could be about. */
const readCondition = (
  reading: Reading.Reading,
  event: HookEvent,
  members: ReadonlyMap<string, Node>
): string | undefined => {
  const node = members.get("if")
  if (node === undefined || node.type === "null") return undefined
  if (event === "PostToolBatch") {
    Reading.note(reading, "warning", node, "`if` is about one tool, so that a `PostToolBatch` hook with it never runs")
  }
  const text = Reading.textOf(node)
  // One that runs too often asks too much; one that does not run may have been the gate.
  if (text === undefined || severalRules.test(text)) {
    const what = text === undefined ? Reading.kindOf(node) : `several, as \`${text.slice(0, 100)}\``
    noteLost(reading, event, node, `\`if\` is the text of one rule, not ${what}, so that this hook runs for every call`)
    return undefined
  }
  if (!text.startsWith("mcp__")) noteNoTool(reading, node, text.replace(/\(.*$/s, ""), "this hook never runs")
  return text
}

const severalRules = /\)\s*(?:[|,]+|\|\||\bor\b)\s*\w+(?:\(|$)/i

const readFlag = (
  reading: Reading.Reading,
  members: ReadonlyMap<string, Node>,
  key: string
): true | undefined => {
  const node = members.get(key)
  const value: unknown = node?.value
  if (node === undefined || node.type === "null" || value === false) return undefined
  if (value === true) return true
  Reading.note(reading, "warning", node, `\`${key}\` is either \`true\` or \`false\`, and is left out`)
  return undefined
}

const readHeaders = (
  reading: Reading.Reading,
  members: ReadonlyMap<string, Node>
): { readonly [name: string]: string } | undefined => {
  const node = members.get("headers")
  if (node === undefined || node.type === "null") return undefined
  if (node.type !== "object") {
    Reading.note(reading, "warning", node, "`headers` must be an object of texts, and is left out")
    return undefined
  }
  return Object.fromEntries(
    Reading.members(reading, node, "headers.").flatMap(({ key, value }) => {
      const text = Reading.textOf(value)
      if (text === undefined) {
        Reading.note(reading, "warning", value, `the header \`${key}\` must be a text, and is left out`)
      }
      return text === undefined ? [] : [[key, text] as const]
    })
  )
}

const readTexts = (
  reading: Reading.Reading,
  event: HookEvent,
  members: ReadonlyMap<string, Node>,
  key: string
): ReadonlyArray<string> | undefined => {
  const node = members.get(key)
  if (node === undefined || node.type === "null") return undefined
  const texts = node.type === "array" ? (node.children ?? []).map(Reading.textOf) : [undefined]
  if (texts.every((text) => text !== undefined)) return texts
  noteLost(reading, event, node, `\`${key}\` must be a list of texts, and is left out`)
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
