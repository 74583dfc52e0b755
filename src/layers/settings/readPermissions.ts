/**
 * The `permissions` of a settings text.
 *
 * @since 0.1.0
 */
import { PermissionMode } from "../../domain/CallContext.ts"
import { nearest } from "../../domain/nearest.ts"
import { Behavior, type Rule } from "../../domain/Rule.ts"
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import { readRule } from "./readRule.ts"
import type { Settings } from "./Settings.ts"

/**
 * What `permissions` say.
 *
 * @category models
 * @since 0.1.0
 */
export type Permissions = Pick<Settings, "rules" | "directories" | "mode" | "hookAllow" | "disabledModes">

/**
 * The names that `permissions` may have.
 *
 * @category constants
 * @since 0.1.0
 */
export const permissionKeys: ReadonlyArray<string> = [
  ...Behavior.literals,
  "defaultMode",
  "additionalDirectories",
  "hookAllow",
  "disableBypassPermissionsMode",
  "disableAutoMode"
]

/**
 * Reads every `permissions` of a text; there is more than one when its name is
 * written twice. Deny and ask rules of all of them count, the rest as JSON says
 * it: the last one's.
 *
 * @category reading
 * @since 0.1.0
 */
export const readPermissions = (reading: Reading.Reading, nodes: ReadonlyArray<Node>): Permissions => {
  const read = nodes.map((node) => readOne(reading, node))
  const last = read.at(-1) ?? nothing
  return {
    rules: read.flatMap(({ rules }, index) =>
      index === read.length - 1 ? rules : rules.filter(({ behavior }) => behavior !== "allow")
    ),
    directories: last.directories,
    mode: last.mode,
    hookAllow: read.some(({ hookAllow }) => hookAllow === "yields") ? "yields" : last.hookAllow,
    disabledModes: read.flatMap(({ disabledModes }) => disabledModes)
  }
}

/**
 * Reads a setting such as `disableBypassPermissionsMode`.
 *
 * **Details**
 *
 * Only `"disable"` is right, and only what plainly means the opposite is not
 * taken for it.
 *
 * @category reading
 * @since 0.1.0
 */
export const readDisabling = (reading: Reading.Reading, key: string, node: Node): ReadonlyArray<PermissionMode> => {
  const mode = disabling.get(key)
  if (mode === undefined || node.type === "null") return []
  const text = Reading.textOf(node)
  if (text === "disable") return [mode]
  const disables = Reading.booleanOf(node) !== false && text !== "enable"
  Reading.note(
    reading,
    "warning",
    node,
    `\`${key}\` can only be \`"disable"\`, and is read as ${disables ? "that" : "left out"}`
  )
  return disables ? [mode] : []
}

const nothing: Permissions = { rules: [], directories: [], mode: undefined, hookAllow: undefined, disabledModes: [] }

const disabling: ReadonlyMap<string, PermissionMode> = new Map([
  ["disableBypassPermissionsMode", "bypassPermissions"],
  ["disableAutoMode", "auto"]
])

// Settings of others that would tighten what is permitted: leaving them out in silence would fail open.
const notHonoured: ReadonlySet<string> = new Set([
  "blockReadsOutsideWorkingDirectories",
  "blockWritesOutsideWorkingDirectories",
  "denyInsteadOfPrompting"
])

const readOne = (reading: Reading.Reading, node: Node): Permissions => {
  if (node.type === "null") return nothing
  if (node.type !== "object") {
    Reading.hide(reading, node, `\`permissions\` must be an object, not ${Reading.kindOf(node)}`)
    return nothing
  }
  const members = Reading.members(reading, node, "permissions.")
  const lastAllow = members.findLast(({ key }) => key === "allow")
  const rules: Array<Rule> = []
  const disabledModes: Array<PermissionMode> = []
  let { directories, hookAllow, mode } = nothing
  for (const member of members) {
    const { key, name, value } = member
    switch (key) {
      case "allow":
        if (member === lastAllow) rules.push(...readRules(reading, key, value))
        break
      case "deny":
      case "ask":
        rules.push(...readRules(reading, key, value))
        break
      case "defaultMode":
        mode = readMode(reading, value)
        break
      case "additionalDirectories":
        directories = readDirectories(reading, value)
        break
      case "hookAllow":
        hookAllow = hookAllow === "yields" ? hookAllow : readHookAllow(reading, value)
        break
      case "disableBypassPermissionsMode":
      case "disableAutoMode":
        disabledModes.push(...readDisabling(reading, key, value))
        break
      default:
        noteUnknown(reading, key, name)
    }
  }
  noteContradictions(reading, rules)
  return { rules, directories, mode, hookAllow, disabledModes }
}

const readRules = (reading: Reading.Reading, behavior: Behavior, node: Node): ReadonlyArray<Rule> => {
  if (node.type === "null") return []
  if (node.type !== "array") {
    const message = `\`permissions.${behavior}\` must be a list of rules, not ${Reading.kindOf(node)}`
    if (behavior === "allow") Reading.note(reading, "warning", node, message)
    else Reading.hide(reading, node, message)
    return []
  }
  const rules = new Map<string, Rule>()
  for (const entry of node.children ?? []) {
    const text = Reading.textOf(entry)
    if (text === undefined) {
      const severity = behavior === "allow" ? "warning" : "error"
      Reading.note(reading, severity, entry, `a rule is a text, not ${Reading.kindOf(entry)}`, { behavior })
      continue
    }
    if (rules.has(text)) {
      Reading.note(reading, "warning", entry, "the same rule is in this list already", { rule: text, behavior })
      continue
    }
    const { diagnostics, rule } = readRule(text, behavior, reading.at(entry), reading.place)
    reading.diagnostics.push(...diagnostics)
    if (rule !== undefined) rules.set(text, rule)
  }
  return [...rules.values()]
}

const readMode = (reading: Reading.Reading, node: Node): Settings["mode"] => {
  if (node.type === "null") return undefined
  const text = Reading.textOf(node)
  const origin = reading.at(node)
  const mode = PermissionMode.literals.find((mode) => mode === (text === "manual" ? "default" : text))
  if (mode !== undefined) return { mode, origin }
  const near = text === undefined ? undefined : misnamed.get(text) ?? nearest(text, PermissionMode.literals, 1)[0]
  const meant = near === undefined ? "" : `; \`${near}\` was probably meant`
  const what = text === undefined ? Reading.kindOf(node) : `\`${text}\``
  Reading.note(reading, "warning", node, `${what} is no permission mode, so that the default mode is used${meant}`)
  return { mode: "default", origin }
}

const misnamed: ReadonlyMap<string, PermissionMode> = new Map([
  ["allowEdits", "acceptEdits"],
  ["bypass", "bypassPermissions"]
])

const readDirectories = (reading: Reading.Reading, node: Node): Settings["directories"] => {
  if (node.type === "null") return []
  if (node.type !== "array") {
    const message = `\`permissions.additionalDirectories\` must be a list of folders, not ${Reading.kindOf(node)}`
    Reading.note(reading, "warning", node, message)
    return []
  }
  return (node.children ?? []).flatMap((entry) => {
    const text = Reading.textOf(entry)
    if (text !== undefined && text.trim() !== "" && !text.includes("\0")) return [{ text, origin: reading.at(entry) }]
    Reading.note(reading, "warning", entry, "a working directory is the path of a folder")
    return []
  })
}

const readHookAllow = (reading: Reading.Reading, node: Node): Settings["hookAllow"] => {
  if (node.type === "null") return undefined
  const text = Reading.textOf(node)
  if (text === "skips" || text === "yields") return text
  const message = "`permissions.hookAllow` is either `\"skips\"` or `\"yields\"`, and is read as the latter"
  Reading.note(reading, "warning", node, message)
  return "yields"
}

const noteUnknown = (reading: Reading.Reading, key: string, name: Node): void => {
  if (notHonoured.has(key)) {
    return Reading.note(reading, "error", name, `\`permissions.${key}\` is not honoured: write deny rules instead`)
  }
  if (key === "allowManagedPermissionRulesOnly" || key === "allowManagedHooksOnly") return
  if (key.startsWith("_") || key.startsWith("$") || key.startsWith("//")) return
  const [near] = nearest(key, permissionKeys, 1)
  const meant = near === undefined ? "" : `; \`${near}\` was probably meant`
  const severity = near === "deny" || near === "ask" ? "error" : "warning"
  Reading.note(reading, severity, name, `\`permissions\` knows no \`${key}\`${meant}`)
}

const noteContradictions = (reading: Reading.Reading, rules: ReadonlyArray<Rule>): void => {
  const strictest = new Map<string, Behavior>()
  for (const behavior of Behavior.literals) {
    for (const rule of rules) {
      if (rule.behavior !== behavior) continue
      const stricter = strictest.get(rule.text)
      if (stricter === undefined) {
        strictest.set(rule.text, behavior)
        continue
      }
      if (stricter === behavior) continue
      reading.diagnostics.push({
        severity: "warning",
        message: `the same rule is in the ${stricter} list, which wins`,
        origin: rule.origin,
        rule: rule.text,
        behavior
      })
    }
  }
}
