/**
 * A settings text, read: rules, hooks and what else it says, with a line for
 * whatever is wrong with it.
 *
 * @since 0.1.0
 */
import { nearest } from "../../domain/nearest.ts"
import { type Node, parseDocument } from "./parseDocument.ts"
import { readAuditSettings } from "./readAuditSettings.ts"
import { readHooks } from "./readHooks.ts"
import { readHttpHooks } from "./readHttpHooks.ts"
import * as Reading from "./Reading.ts"
import { mcpKeys, readMcpSettings } from "./readMcpSettings.ts"
import { permissionKeys, readDisabling, readPermissions } from "./readPermissions.ts"
import { readResultLimits } from "./readResultLimits.ts"
import { readSandboxSettings } from "./readSandboxSettings.ts"
import { empty, type Settings, type SettingsPlace } from "./Settings.ts"

/**
 * Reads a settings text. Never throws, whatever the text.
 *
 * **Details**
 *
 * A text that is no JSON, or no object, hides everything it may have said. Within
 * an object, what has the wrong shape hides only itself and the rest counts; that
 * no call is permitted beside it without a person is for the policy to see to. An
 * empty text says nothing, except as managed settings, where it is taken for a
 * file that was cut off.
 *
 * @category reading
 * @since 0.1.0
 */
export const readSettings = (text: string, place: SettingsPlace): Settings => {
  const document = parseDocument(text)
  const nothing = empty(place)
  const origin = Reading.originOf(place)
  switch (document._tag) {
    case "Broken":
      return { ...nothing, hides: [{ origin: { ...origin, ...document.position }, reason: document.reason }] }
    case "Empty":
      return place.source === "policySettings"
        ? { ...nothing, hides: [{ origin, reason: "is empty" }] }
        : { ...nothing, diagnostics: [{ severity: "warning", message: "the file is empty", origin }] }
    case "Tree": {
      const reading = Reading.make(place, document.position)
      if (document.root.type === "object") return readRoot(reading, document.root)
      Reading.hide(reading, document.root, `must hold an object, not ${Reading.kindOf(document.root)}`)
      return { ...nothing, hides: reading.hides }
    }
  }
}

const readRoot = (reading: Reading.Reading, root: Node): Settings => {
  const members = Reading.members(reading, root, "")
  const called = (name: string): ReadonlyArray<Node> =>
    members.filter(({ key }) => key === name).map(({ value }) => value)

  const permissions = readPermissions(reading, called("permissions"))
  const hooks = readHooks(reading, called("hooks"))
  const disableAllHooks = readDisableAllHooks(reading, called("disableAllHooks"))
  const controls = [...members, ...called("permissions").flatMap(controlsIn)]
  const managedRulesOnly = readManaged(reading, controls, "allowManagedPermissionRulesOnly")
  const managedHooksOnly = readManaged(reading, controls, "allowManagedHooksOnly")
  const managedAddress = readAddress(reading, members)
  const audit = readAuditSettings(reading, members)
  const sandbox = readSandboxSettings(reading, members)
  const maxResultSizeChars = readResultLimits(reading, members)
  const httpHooks = readHttpHooks(reading, members)
  const mcp = readMcpSettings(reading, members, readManaged(reading, controls, "allowManagedMcpServersOnly"))
  const disabledModes = members.flatMap(({ key, value }) => readDisabling(reading, key, value))
  for (const { key, name } of members) noteMisplaced(reading, key, name)

  return {
    place: reading.place,
    ...permissions,
    disabledModes: [...permissions.disabledModes, ...disabledModes],
    hooks,
    disableAllHooks,
    managedRulesOnly,
    managedHooksOnly,
    managedAddress,
    audit,
    sandbox,
    maxResultSizeChars,
    httpHooks,
    mcp,
    diagnostics: reading.diagnostics,
    hides: reading.hides
  }
}

const readDisableAllHooks = (reading: Reading.Reading, nodes: ReadonlyArray<Node>): boolean | undefined => {
  const node = nodes.at(-1)
  if (node === undefined || node.type === "null") return undefined
  const value = Reading.booleanOf(node)
  if (value === undefined) {
    Reading.note(reading, "warning", node, "`disableAllHooks` is either `true` or `false`, and is left out")
  }
  return value
}

// People write these two into `permissions` as well.
const controlsIn = (node: Node): ReadonlyArray<Reading.Member> =>
  (node.type === "object" ? node.children ?? [] : []).flatMap(({ children: [name, value] = [] }) =>
    name !== undefined && value !== undefined ? [{ key: String(name.value), name, value }] : []
  )

const readManaged = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>,
  key: string
): boolean | undefined => {
  let said: boolean | undefined
  for (const { name, value } of members.filter((member) => member.key === key)) {
    if (value.type === "null") continue
    if (reading.place.source !== "policySettings") {
      Reading.note(reading, "warning", name, `\`${key}\` counts in managed settings alone, and is left out`)
      continue
    }
    if (Reading.booleanOf(value) === undefined) {
      Reading.note(reading, "error", value, `\`${key}\` is either \`true\` or \`false\`, and is read as the former`)
    }
    said = said === true || Reading.booleanOf(value) !== false
  }
  return said
}

const readAddress = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>
): Settings["managedAddress"] => {
  const member = (key: string): Reading.Member | undefined =>
    members.findLast((member) => member.key === key && member.value.type !== "null")
  const [address, refresh] = [member("managedSettingsUrl"), member("managedSettingsRefreshMinutes")]
  if (reading.place.source !== "policySettings") {
    for (const { key, name } of [address, refresh].filter((member) => member !== undefined)) {
      Reading.note(reading, "warning", name, `\`${key}\` counts in managed settings alone, and is left out`)
    }
    return undefined
  }
  const minutes: unknown = refresh?.value.value
  const refreshMinutes = typeof minutes === "number" && minutes >= 1 ? minutes : undefined
  if (refresh !== undefined && refreshMinutes === undefined) {
    const message = "`managedSettingsRefreshMinutes` is a number of minutes from 1 up, and is read as 60"
    Reading.note(reading, "warning", refresh.value, message)
  }
  if (address === undefined) return undefined
  const text = Reading.textOf(address.value)
  if (text !== undefined) return { text, refreshMinutes }
  Reading.hide(reading, address.value, `\`managedSettingsUrl\` must be a text, not ${Reading.kindOf(address.value)}`)
  return undefined
}

const noteMisplaced = (reading: Reading.Reading, key: string, name: Node): void => {
  // Where these two stand plays no part, since they only ever tighten.
  if (known.has(key) || key.startsWith("disable")) return
  if (permissionKeys.includes(key)) {
    const severity = key === "deny" || key === "ask" ? "error" : "warning"
    return Reading.note(reading, severity, name, `\`${key}\` belongs into \`permissions\`, and is left out here`)
  }
  const [near] = key.length < 5 ? [] : nearest(key, known, 1)
  if (near !== undefined) {
    Reading.note(reading, "error", name, `\`${key}\` is not read; \`${near}\` was probably meant`)
  }
}

const known: ReadonlySet<string> = new Set([
  "permissions",
  "hooks",
  "disableAllHooks",
  "allowManagedPermissionRulesOnly",
  "allowManagedHooksOnly",
  "managedSettingsUrl",
  "managedSettingsRefreshMinutes",
  "audit",
  "sandbox",
  "maxResultSizeChars",
  "allowedHttpHookUrls",
  "httpHookAllowedEnvVars",
  "allowManagedMcpServersOnly",
  ...mcpKeys
])
