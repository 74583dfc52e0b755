/**
 * What a person reads before they answer: the tool, its whole input, why it is
 * asked and what each part of it does.
 *
 * @since 0.1.0
 */
import type { Question } from "../../domain/Question.ts"
import { visible } from "./visible.ts"
import { wrap } from "./wrap.ts"

/**
 * One row of the text, and how it is to be emphasised where there are colours.
 *
 * @category models
 * @since 0.1.0
 */
export interface Row {
  readonly text: string
  readonly style: "plain" | "strong" | "faint" | "warning"
}

/**
 * The rows of a question, and how many rows of it are left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface QuestionText {
  readonly rows: ReadonlyArray<Row>
  readonly hidden: number
}

/**
 * Lays out a question in rows no wider than `columns`.
 *
 * **Details**
 *
 * Every row that holds the model's own words begins with a gutter, so that no
 * words of its own can pass for ours. What takes more than about `height` rows is
 * cut in the middle, and says how much is missing.
 *
 * @category formatting
 * @since 0.1.0
 */
export const questionText = (
  question: Question,
  options: { readonly columns: number; readonly height: number; readonly gutter: string }
): QuestionText => {
  const { decision } = question
  const width = Math.max(options.columns - 1, 20)
  const title = wrap(`${visible(question.tool)} wants to run, in ${visible(folderOf(question))}:`, width)
  const parts = cut(partRows(question, width), Math.max(Math.floor(options.height / 4), 5))
  const rest = [
    ...styled("warning", decision.warning === undefined ? [] : labelled("Warning: ", decision.warning, width)),
    ...styled("plain", labelled("Why it asks: ", reasonOf(question), width)),
    ...styled("plain", parts.rows.length === 0 ? [] : ["What each part does:", ...parts.rows]),
    ...styled(
      "faint",
      decision.suggestions.flatMap((rule, index) =>
        labelled(index === 0 ? "\"Always allow\" saves: " : " ".repeat(22), rule, width)
      )
    )
  ]
  const input = cut(
    inputRows(question, width - options.gutter.length).map((row) => options.gutter + row),
    Math.max(options.height - title.length - rest.length - 2, 5)
  )
  return {
    hidden: input.hidden + parts.hidden,
    rows: [...styled("strong", title), ...styled("plain", [...input.rows, ""]), ...rest]
  }
}

const styled = (style: Row["style"], rows: ReadonlyArray<string>): ReadonlyArray<Row> =>
  rows.map((text) => ({ text, style }))

/** The input field by field: a shell's command first and bare, text of several lines as it reads. */
const inputRows = (question: Question, width: number): ReadonlyArray<string> => {
  const { command, ...rest } = question.input
  const isLine = question.tool === "Bash" && typeof command === "string"
  const fields = Object.entries(isLine ? rest : question.input)
  const rows = [
    ...(isLine ? wrap(visible(command), width) : []),
    ...(isLine && fields.length > 0 ? [""] : []),
    ...fields.flatMap(([name, value]) => {
      const text = visible(typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? String(value))
      return text.includes("\n")
        ? [...wrap(`${visible(name)}:`, width), ...wrap(text, width - 2).map((row) => `  ${row}`)]
        : wrap(`${visible(name)}: ${text}`, width)
    })
  ]
  return rows.length === 0 ? ["(no input)"] : rows
}

const reasonOf = ({ decision: { rule, why } }: Question): string => {
  if (rule === undefined) return why
  const place = rule.origin.file === undefined
    ? rule.origin.source
    : `${rule.origin.file}${rule.origin.line === undefined ? "" : `:${rule.origin.line}`}`
  return why.includes(rule.text) ? `${why} (${place})` : `${why} (\`${rule.text}\`, ${place})`
}

/** One entry a demand, unless the only demand is the whole call and its reason was given already. */
const partRows = (question: Question, width: number): ReadonlyArray<string> => {
  const { judged, why: asked } = question.decision
  if (judged.length === 1 && judged[0]?.why === asked) return []
  // What was said above needs no repeating.
  return judged.flatMap(({ demand, verdict, why }) =>
    verdict === "allow"
      ? labelled("  ok    ", demand, width)
      : labelled(verdict === "ask" ? "  asks  " : "  no    ", why === asked ? demand : `${demand} (${why})`, width)
  )
}

/** A label, and beside it a text whose further rows are indented to stand below its first. */
const labelled = (label: string, text: string, width: number): ReadonlyArray<string> => {
  const indent = Math.min(label.length, 24)
  return wrap(visible(text), width - indent).map((row, index) => (index === 0 ? label : " ".repeat(indent)) + row)
}

const cut = (
  rows: ReadonlyArray<string>,
  limit: number
): { readonly rows: ReadonlyArray<string>; readonly hidden: number } => {
  // Cutting a handful of rows would save less than it hides.
  if (rows.length <= limit + 3) return { rows, hidden: 0 }
  const head = Math.ceil(limit * 2 / 3)
  const hidden = rows.length - limit
  return {
    hidden,
    rows: [
      ...rows.slice(0, head),
      `  ... ${hidden} more rows are not shown here ...`,
      ...rows.slice(rows.length - (limit - head))
    ]
  }
}

const folderOf = ({ context: { cwd, standing = cwd }, tool }: Question): string => tool === "Bash" ? standing : cwd
