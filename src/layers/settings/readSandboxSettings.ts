/**
 * What settings say of the sandbox.
 *
 * @since 0.1.0
 */
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads the member `sandbox` of a settings text: an object with `enabled`,
 * `failIfUnavailable` and `network.allowedDomains`.
 *
 * **Details**
 *
 * What can't be read is taken for the stricter of what it may have said. Other
 * members are those of other programs, and left alone.
 *
 * @category reading
 * @since 0.1.0
 */
export const readSandboxSettings = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>
): Settings["sandbox"] => {
  const value = members.findLast(({ key, value }) => key === "sandbox" && value.type !== "null")?.value
  if (value === undefined) return undefined
  if (value.type !== "object") {
    Reading.note(reading, "error", value, "`sandbox` is an object, and is read as one with `enabled`")
    return { enabled: true, failIfUnavailable: true, allowedDomains: [] }
  }
  const inside = Reading.members(reading, value, "sandbox.")
  const network = inside.findLast(({ key }) => key === "network")?.value
  return {
    enabled: readSwitch(reading, inside, "enabled"),
    failIfUnavailable: readSwitch(reading, inside, "failIfUnavailable"),
    allowedDomains: network?.type === "object" ? readDomains(reading, network) : []
  }
}

const readSwitch = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>,
  name: string
): boolean | undefined => {
  const value = members.findLast(({ key, value }) => key === name && value.type !== "null")?.value
  if (value === undefined) return undefined
  const read = Reading.booleanOf(value)
  if (read !== undefined) return read
  Reading.note(
    reading,
    "error",
    value,
    `\`sandbox.${name}\` is either \`true\` or \`false\`, and is read as the former`
  )
  return true
}

const readDomains = (reading: Reading.Reading, network: Node): ReadonlyArray<string> =>
  Reading.members(reading, network, "sandbox.network.").flatMap(({ key, value }) => {
    if (key !== "allowedDomains") return []
    return (value.type === "array" ? value.children ?? [] : [value]).flatMap((item) => {
      const text = Reading.textOf(item)
      if (text !== undefined) return [text]
      Reading.note(
        reading,
        "warning",
        item,
        "a host in `sandbox.network.allowedDomains` is a text; this one is left out"
      )
      return []
    })
  })
