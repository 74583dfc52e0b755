/**
 * What settings say of where hooks over HTTP may go and what they may take along.
 *
 * @since 0.1.0
 */
import * as Reading from "./Reading.ts"
import type { Settings } from "./Settings.ts"

/**
 * Reads the members `allowedHttpHookUrls` and `httpHookAllowedEnvVars` of a
 * settings text. A list that can't be read allows nothing.
 *
 * @category reading
 * @since 0.1.0
 */
export const readHttpHooks = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>
): Settings["httpHooks"] => ({
  allowedUrls: readList(reading, members, "allowedHttpHookUrls"),
  allowedEnvVars: readList(reading, members, "httpHookAllowedEnvVars")
})

const readList = (
  reading: Reading.Reading,
  members: ReadonlyArray<Reading.Member>,
  key: string
): ReadonlyArray<string> | undefined => {
  const value = members.findLast((member) => member.key === key && member.value.type !== "null")?.value
  if (value === undefined) return undefined
  if (value.type !== "array") {
    const message = `\`${key}\` must be a list of texts, not ${Reading.kindOf(value)}, and allows nothing`
    Reading.note(reading, "error", value, message)
    return []
  }
  return (value.children ?? []).flatMap((item) => {
    const text = Reading.textOf(item)
    if (text !== undefined) return [text]
    Reading.note(reading, "error", item, `an entry of \`${key}\` is a text; this one is left out`)
    return []
  })
}
