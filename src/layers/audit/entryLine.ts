/**
 * A decision as one line of JSON, never longer than a line may be.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { AuditEntry } from "../../domain/AuditEntry.ts"
import type { Decision } from "../../domain/Decision.ts"

/**
 * The most that a line may hold, in bytes.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxLineBytes = 64 * 1024

/**
 * Makes the line of an entry, its line feed included.
 *
 * **Details**
 *
 * Texts are cut first, then what did not decide is left out, then the input, and
 * at last all but the demands that decided. An input that can't be written as JSON
 * is left out as well. What was left out is marked by `cut`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const entryLine = (entry: AuditEntry): Uint8Array => {
  const tries: ReadonlyArray<() => AuditEntry> = [
    () => entry,
    () => ({ ...entry, decision: deciding(entry.decision), cut: true }),
    () => ({ ...withoutInput(entry), decision: deciding(entry.decision), cut: true }),
    () => ({ ...withoutInput(entry), decision: barely(entry.decision), cut: true })
  ]
  for (const candidate of tries) {
    // What an input holds may be nested deeper than JSON can be written, or throw when it is looked at.
    const line = Result.getOrUndefined(Result.try(() => encode(candidate(), 2_000)))
    if (line !== undefined && line.length <= maxLineBytes) return line
  }
  return encode({ ...withoutInput(entry), decision: barely(entry.decision), cut: true }, 100)
}

const withoutInput = ({ input: _, ...entry }: AuditEntry): AuditEntry => entry

const deciding = (decision: Decision): Decision => ({
  ...decision,
  judged: decision.judged.map((one) => ({ ...one, candidates: one.candidates.filter(({ deciding }) => deciding) }))
})

const barely = (decision: Decision): Decision => ({
  ...decision,
  suggestions: [],
  judged: decision.judged
    .filter(({ verdict }) => verdict === decision.verdict)
    .slice(0, 10)
    .map((one) => ({ ...one, candidates: [] }))
})

const encode = (entry: AuditEntry, longest: number): Uint8Array => {
  let cut = false
  const above: Array<unknown> = []
  const text = JSON.stringify(entry, function(this: unknown, _key, member: unknown) {
    if (typeof member === "bigint") return String(member)
    if (typeof member === "string" && member.length > longest) {
      cut = true
      return `${member.slice(0, longest).toWellFormed()}… (${member.length - longest} characters left out)`
    }
    if (typeof member !== "object" || member === null) return member
    // An input that an application makes itself may be a circle.
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (above.includes(member)) return "(circular)"
    above.push(member)
    return member
  })
  // Readers take a line apart as JSON: a field that is there twice counts as the last says.
  return new TextEncoder().encode(`${cut && entry.cut !== true ? `${text.slice(0, -1)},"cut":true}` : text}\n`)
}
