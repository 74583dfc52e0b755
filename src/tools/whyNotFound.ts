/**
 * Help for an edit whose old text is not in the file.
 *
 * @since 0.1.0
 */
import { quoted } from "./quoted.ts"

/**
 * Says what comes nearest to a text that was not found, or nothing.
 *
 * @category searching
 * @since 0.1.0
 */
export const whyNotFound = (text: string, wanted: string): string => {
  const asked = wanted.split(/\r?\n/)
  if (asked.some((line) => line !== "") && asked.every((line) => line === "" || /^ *\d+\t/.test(line))) {
    return "; it begins with line numbers, which are no part of the file"
  }
  const key = asked.map((line) => squeeze(line)).find((line) => line !== "")
  if (key === undefined) return ""
  const lines = text.split("\n")
  const same = lines.findIndex((line) => squeeze(line) === key)
  if (same !== -1) {
    const first = asked.find((line) => squeeze(line) === key) ?? ""
    return lines[same]?.replace(/\r$/, "") === first
      ? `; line ${same + 1} is its first line, but what follows differs`
      : `; line ${same + 1} differs from its first line in white space alone: ${quoted(lines[same] ?? "")}`
  }
  const within = lines.findIndex((line) => key.length > 3 && squeeze(line).includes(key))
  return within === -1
    ? ""
    : `; line ${within + 1} holds its first line, but not the whole: ${quoted(lines[within] ?? "")}`
}

const squeeze = (line: string): string => line.replace(/\s+/g, " ").trim()
