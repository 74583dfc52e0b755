/**
 * A trace for a terminal.
 *
 * @since 0.1.0
 */
import { visible } from "../layers/approver/visible.ts"
import { wrap } from "../layers/approver/wrap.ts"
import { clock, phrases, startOf } from "./quantities.ts"
import type { Step, Trace, TracedCall, Words } from "./Step.ts"

/**
 * Renders a trace in rows of at most `columns`, a step below the other.
 *
 * **Details**
 *
 * What others said stands behind a bar, so that no words of theirs can pass for
 * ours; a long text is cut, and says so. Calls of a tool are indented.
 *
 * @category formatting
 * @since 0.1.0
 */
export const traceText = (
  trace: Trace,
  { colors, columns }: { readonly colors: boolean; readonly columns: number }
): string => {
  const paint: Paint = (style, text) => colors && text !== "" ? `\u001B[${styles[style]}m${text}\u001B[0m` : text
  const width = Math.max(columns, 40)
  const start = startOf(trace)
  const rows = trace.steps.flatMap((step) => {
    const call = step.call === undefined ? undefined : trace.calls[step.call - 1]
    return [
      ...(step.heading === undefined ? [] : ["", paint("strong", step.heading)]),
      ...stepRows(step, call, trace.calls.length > 1, start, width, paint)
    ]
  })
  const title = wrap(visible(oneRow(trace.title)), width - 1).slice(0, 2).map((row) => paint("strong", row.trimEnd()))
  const about = wrap(visible(phrases(trace).map(oneRow).join(" · ")), width - 1)
    .map((row) => paint("faint", row.trimEnd()))
  return `${[...title, ...about, ...rows].join("\n")}\n`
}

type Style = Step["tone"] | "faint" | "strong"

type Paint = (style: Style, text: string) => string

const styles: { readonly [style in Style]: string } = {
  plain: "0",
  good: "32",
  asking: "33",
  bad: "31",
  faint: "2",
  strong: "1"
}

const oneRow = (text: string): string => text.slice(0, 500).trim().replace(/\s+/g, " ")

const stepRows = (
  step: Step,
  call: TracedCall | undefined,
  numbered: boolean,
  start: number,
  width: number,
  paint: Paint
): ReadonlyArray<string> => {
  const time = clock(step.at - start).padStart(8)
  const between = (step.from === step.to ? step.from : `${step.from} -> ${step.to}`).padEnd(13)
  const number = numbered && call !== undefined ? `${call.number} ` : ""
  const indent = "  ".repeat(Math.min(call?.depth ?? 0, 8))
  const label = `${time}  ${between}  ${indent}`
  const [first = "", ...more] = wrap(number + visible(oneRow(step.title)), width - label.length - 1)
  return [
    `${paint("faint", time)}  ${between}  ${indent}${paint(step.tone, first.trimEnd())}`,
    ...more.map((row) => " ".repeat(label.length) + paint(step.tone, row.trimEnd())),
    ...step.words.flatMap((words) => wordsRows(words, indent, width, paint)),
    ...(step.missed === undefined
      ? []
      : wrap(`not reached: ${step.missed.join(", ")}`, width - label.length - 1)
        .map((row) => " ".repeat(label.length) + paint("faint", row.trimEnd())))
  ]
}

const wordsRows = (
  { kind, label, text }: Words,
  indent: string,
  width: number,
  paint: Paint
): ReadonlyArray<string> => {
  const gutter = `${" ".repeat(10)}${indent}| `
  const body = text.slice(0, most).replaceAll("\r\n", "\n").replace(/\n$/, "").replaceAll("\t", "  ")
  const named = label === undefined ? body : body.includes("\n") ? `${label}:\n${body}` : `${label}: ${body}`
  const rows = wrap(visible(named), width - gutter.length - 1)
  const whole = text.length <= most && rows.length <= tallest + 2
  return [
    ...(whole ? rows : rows.slice(0, tallest)).map((row) => {
      const shown = row.trimEnd()
      return `${gutter}${voices[kind] === undefined ? shown : paint(voices[kind], shown)}`.trimEnd()
    }),
    ...(whole ? [] : wrap(`... cut here, ${text.length} characters in all`, width - gutter.length - 1))
      .map((row) => `${gutter}${paint("faint", row.trimEnd())}`)
  ]
}

const voices: { readonly [kind in Words["kind"]]?: Style } = { remark: "faint", warning: "asking" }

/** More than this many characters are never looked at, and more than this many rows never shown. */
const most = 4_000
const tallest = 8
