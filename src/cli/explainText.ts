/**
 * A decision explained: for each part of a call the rule that decided, and why
 * every other one did not.
 *
 * @since 0.1.0
 */
import type { Candidate, Decision, Judged, Verdict } from "../domain/Decision.ts"
import { hanging } from "./hanging.ts"
import { oneLine } from "./line.ts"
import { placeOf } from "./placeOf.ts"

/**
 * Renders an explanation, no wider than `columns` as far as words can be broken.
 *
 * @category formatting
 * @since 0.1.0
 */
export const explainText = (
  tool: string,
  decision: Decision,
  { colors, columns }: { readonly colors: boolean; readonly columns: number }
): string => {
  const paint = (code: number, text: string): string => colors ? `\u001B[${code}m${text}\u001B[0m` : text
  const verdict = (said: Verdict, bold = false): string => paint(verdictColors[said], bold ? paint(1, said) : said)
  // Colour takes no room, so that rows are broken first and painted after.
  const row = (indent: string, text: string): string => hanging(indent, oneLine(text), columns)

  const named = (indent: string, { by, rule }: Pick<Candidate, "rule" | "by">, why: string): ReadonlyArray<string> =>
    rule === undefined
      ? [row(indent, `${deciders[by]}: ${why}`)]
      : [
        row(indent, `${rule.behavior} rule ${rule.text}`),
        row(`${indent}  `, `${placeOf(rule.origin)}: ${why}`)
      ]

  const part = (judged: Judged, index: number, all: ReadonlyArray<Judged>): ReadonlyArray<string> => {
    const deciding = judged.candidates.findIndex((candidate) => candidate.deciding)
    const late = judged.candidates.filter((candidate, at) => at > deciding && candidate.matched !== "no")
    const apart = judged.candidates.filter((candidate) => candidate.matched === "no")
    const group = (title: string, candidates: ReadonlyArray<Candidate>): ReadonlyArray<string> =>
      candidates.length === 0 ? [] : [
        paint(2, `    ${title}`),
        ...candidates.flatMap((candidate) => named("      ", candidate, candidate.why))
      ]
    return [
      "",
      paint(1, hanging(all.length === 1 ? "" : `${index + 1}. `, oneLine(judged.demand), columns)),
      `  ${verdict(judged.verdict)}, decided by`,
      ...named("    ", judged, judged.why),
      ...group("did not match", apart),
      ...group("came too late", late)
    ]
  }

  return [
    `${verdict(decision.verdict, true)} ${oneLine(tool)}`,
    ...(decision.warning === undefined ? [] : [row("warning: ", decision.warning)]),
    ...decision.judged.flatMap(part),
    ...(decision.suggestions.length === 0
      ? []
      : ["", "rules that would allow it:", ...decision.suggestions.map((rule) => `  ${oneLine(rule)}`)]),
    ""
  ].join("\n")
}

const verdictColors: { readonly [verdict in Verdict]: number } = { deny: 31, ask: 33, allow: 32 }

const deciders: { readonly [by in Candidate["by"]]: string } = {
  hook: "a hook",
  rule: "a rule",
  tool: "the tool itself",
  safety: "built-in safety",
  validation: "the check of the input",
  mode: "the permission mode",
  reading: "what only reads, or is covered in all its parts",
  settings: "settings that can't be read",
  classifier: "the classifier",
  person: "a person",
  nobody: "nobody is there to be asked",
  audit: "the audit log that settings require",
  default: "the default, where nothing else decides"
}
