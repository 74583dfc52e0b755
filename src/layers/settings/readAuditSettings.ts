/**
 * What settings say of the audit log.
 *
 * @since 0.1.0
 */
import type { AuditSettings } from "../../domain/AuditEntry.ts"
import { standard } from "../../domain/AuditEntry.ts"
import type { RuleSource } from "../../domain/Rule.ts"
import type { Node } from "./parseDocument.ts"
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads the member `audit` of a settings text: `true`, `false`, or an object with
 * `maxBytes`, `keep` and `required`.
 *
 * **Details**
 *
 * It counts where a person or a manager speaks for themselves, not in what a
 * repository may bring. A value that can't be read is taken for `true`: whoever
 * wrote it wanted a log.
 *
 * @category reading
 * @since 0.1.0
 */
export const readAuditSettings = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>
): Settings["audit"] => {
  const member = members.findLast(({ key, value }) => key === "audit" && value.type !== "null")
  if (member === undefined) return undefined
  if (!mayAsk.has(reading.place.source)) {
    Reading.note(
      reading,
      "warning",
      member.name,
      "`audit` counts in user settings, in `--settings` and in managed settings alone, and is left out"
    )
    return undefined
  }
  const { value } = member
  if (value.type === "object") return readObject(reading, value)
  const switched = Reading.booleanOf(value)
  if (switched === undefined) {
    const message =
      "`audit` is `true`, `false` or an object with `maxBytes`, `keep` and `required`, and is read as `true`"
    Reading.note(reading, "warning", value, message)
  }
  return switched === false ? "off" : standard
}

const mayAsk: ReadonlySet<RuleSource> = new Set(["userSettings", "flagSettings", "policySettings"])

const readObject = (reading: Reading.Reading, node: Node): AuditSettings => {
  let read = standard
  for (const { key, name, value } of Reading.members(reading, node, "audit.")) {
    if (key === "required") {
      const required = Reading.booleanOf(value)
      if (required === undefined) {
        Reading.note(reading, "error", value, "`audit.required` is either `true` or `false`, and is read as the former")
      }
      read = { ...read, required: required ?? true }
      continue
    }
    if (key !== "maxBytes" && key !== "keep") {
      const message = `\`audit\` knows no \`${key}\`, only \`maxBytes\`, \`keep\` and \`required\``
      Reading.note(reading, "warning", name, message)
      continue
    }
    const number: unknown = value.value
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= least[key]) {
      read = { ...read, [key]: number }
    } else {
      const message = `\`audit.${key}\` is a whole number from ${least[key]} up, and is read as ${standard[key]}`
      Reading.note(reading, "warning", value, message)
    }
  }
  return read
}

// A line may be 64 KiB long, and a full file is kept until the next one is.
const least = { maxBytes: 65_536, keep: 1 } as const
