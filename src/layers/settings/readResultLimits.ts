/**
 * What settings say of how long results may be.
 *
 * @since 0.1.0
 */
import { nearest } from "../../domain/nearest.ts"
import { canonicalName, toolNames } from "../../domain/toolNames.ts"
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads the member `maxResultSizeChars` of a settings text: an object of numbers by
 * the name of a tool.
 *
 * @category reading
 * @since 0.1.0
 */
export const readResultLimits = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>
): Settings["maxResultSizeChars"] => {
  const value = members.findLast(({ key, value }) => key === "maxResultSizeChars" && value.type !== "null")?.value
  if (value === undefined) return {}
  if (value.type !== "object") {
    const message = `\`maxResultSizeChars\` is an object of numbers by tool, not ${
      Reading.kindOf(value)
    }, and is left out`
    Reading.note(reading, "warning", value, message)
    return {}
  }
  const limits: { [tool: string]: number } = {}
  for (const { key, name, value: node } of Reading.members(reading, value, "maxResultSizeChars.")) {
    const tool = canonicalName(key)
    const number: unknown = node.value
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < least) {
      const message = `\`maxResultSizeChars.${key}\` is a whole number from ${least} up, and is left out`
      Reading.note(reading, "warning", node, message)
      continue
    }
    noteUnknown(reading, name, tool)
    limits[tool] = number
  }
  return limits
}

// A preview has to say where the whole is.
const least = 500

const noteUnknown = (reading: Reading.Reading, node: Reading.Member["name"], tool: string): void => {
  if (toolNames.has(tool) || tool.startsWith("mcp__") || reading.place.known?.has(tool) === true) return
  const [near] = nearest(tool, [...toolNames, ...reading.place.known ?? []], 1)
  if (near === undefined) return
  Reading.note(reading, "warning", node, `no tool is named \`${tool}\`; \`${near}\` was probably meant`)
}
