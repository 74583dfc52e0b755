/**
 * Findings as a person reads them: by file, in the order of lines.
 *
 * @since 0.1.0
 */
import { shellWord } from "../layers/settings/shellWord.ts"
import type { Finding, Severity } from "../permission/lint/Finding.ts"
import { hanging } from "./hanging.ts"
import { oneLine } from "./line.ts"
import { fileOf, placeOf } from "./placeOf.ts"

/**
 * Renders findings, no wider than `columns` but for calls to copy.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lintText = (
  findings: ReadonlyArray<Finding>,
  { colors, columns }: { readonly colors: boolean; readonly columns: number }
): string => {
  const paint = (code: number, text: string): string => colors ? `\u001B[${code}m${text}\u001B[0m` : text

  const one = (
    { because, behavior, example, meant, message, origin, rule, severity }: Finding
  ): ReadonlyArray<string> => {
    const position = origin.line === undefined ? "" : `${origin.line}:${origin.column ?? 1}`
    const what = rule === undefined ? "" : `  ${behavior ?? ""} ${oneLine(rule, 300)}`
    const row = (label: string, text: string): string => hanging(`    ${label}`, oneLine(text), columns)
    return [
      `  ${position.padEnd(7)} ${paint(severityColors[severity], severity.padEnd(7))}${what}`.trimEnd(),
      row("", message),
      ...(because === undefined
        ? []
        : [row("because: ", `${because.behavior} ${because.text}, ${placeOf(because.origin)}`)]),
      ...(meant === undefined ? [] : [row("meant:   ", meant)]),
      ...(example === undefined
        ? []
        : [`    see:     toolgate explain ${word(example.tool)} ${word(JSON.stringify(example.input))}`])
    ]
  }

  const groups = [...Map.groupBy(findings, ({ origin }) => fileOf(origin))]
  return [
    ...groups.flatMap(([file, inFile]) => [paint(1, oneLine(file)), ...inFile.sort(byLine).flatMap(one), ""]),
    findings.length === 0
      ? "nothing to complain about"
      : severities.flatMap((severity) => counted(severity, findings)).join(", "),
    ""
  ].join("\n")
}

const severities: ReadonlyArray<Severity> = ["error", "warning", "note"]

const severityColors: { readonly [severity in Severity]: number } = { error: 31, warning: 33, note: 36 }

const byLine = (one: Finding, other: Finding): number =>
  (one.origin.line ?? 0) - (other.origin.line ?? 0) || (one.origin.column ?? 0) - (other.origin.column ?? 0)

const counted = (severity: Severity, findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const count = findings.filter((finding) => finding.severity === severity).length
  return count === 0 ? [] : [`${count} ${severity}${count === 1 ? "" : "s"}`]
}

const word = (text: string): string => shellWord(oneLine(text))
