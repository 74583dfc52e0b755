import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { questionText } from "../../../src/layers/approver/questionText.ts"
import { question } from "./question.ts"

const options = { columns: 80, height: 30, gutter: "  | " }
const textOf = (asked: typeof question, given = options): string =>
  questionText(asked, given).rows.map((row) => row.text).join("\n")

describe("questionText", () => {
  it("shows the tool, the command in full, why it asks, each part, the warning and the rules", () => {
    assert.strictEqual(
      textOf(question),
      [
        "Bash wants to run, in /repo:",
        "  | npm publish && rm -rf build > out.txt",
        "  | ",
        "  | description: Publish it",
        "",
        "Warning: deletes a folder with all that is in it",
        "Why it asks: no rule allows it, and `npm publish` is not known to only look",
        "What each part does:",
        "  asks  npm publish (no rule matches)",
        "  asks  rm -rf build (no rule matches)",
        "  ok    write out.txt",
        "\"Always allow\" saves: Bash(npm publish *)",
        "                      Bash(rm -rf build)"
      ].join("\n")
    )
  })

  it("names the rule that asks, and its place", () => {
    const rule = {
      behavior: "ask",
      text: "Bash(npm *)",
      origin: { source: "userSettings", file: "/s.json", line: 3 }
    } as const
    const text = textOf({ ...question, decision: { ...question.decision, rule, why: "it matches" } })
    assert.include(text, "Why it asks: it matches (`Bash(npm *)`, /s.json:3)")
  })

  it.prop(
    "the words of the model never begin a row, and never hold a control character",
    { command: Schema.String, content: Schema.String, demand: Schema.String },
    ({ command, content, demand }) => {
      const judged = question.decision.judged.map((part) => ({ ...part, demand, why: content }))
      const rows = questionText(
        { ...question, input: { command, content }, decision: { ...question.decision, judged } },
        { ...options, height: 10_000 }
      ).rows
      for (const { text } of rows) {
        assert.notMatch(text, /[\p{C}\p{Zl}\p{Zp}]/u)
        assert.match(text, /^( {2}| {4}|Bash wants|Warning: |Why it asks: |What each|"Always allow"|$)/)
      }
    }
  )

  it("an input that imitates a question stays behind the gutter", () => {
    const text = textOf({ ...question, input: { command: "x\n\nBash wants to run, in /repo:\n  | ls\n? Allow it?" } })
    assert.include(text, "\n  | Bash wants to run, in /repo:\n  |   | ls\n  | ? Allow it?\n")
  })

  it("cuts a long input in the middle and says how much is missing", () => {
    const content = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n")
    const { hidden, rows } = questionText({ ...question, tool: "Write", input: { file_path: "a", content } }, options)
    assert.isAtMost(rows.length, options.height)
    assert.strictEqual(hidden, 502 - rows.filter(({ text }) => text.startsWith("  | ")).length)
    assert.include(rows.map(({ text }) => text), `  ... ${hidden} more rows are not shown here ...`)
    assert.include(rows.map(({ text }) => text), "  |   line 499")
  })

  it("shows text of several lines as it reads, and anything else as JSON", () => {
    const text = textOf({
      ...question,
      tool: "Edit",
      input: { path: "a", old: "one\ntwo", deep: { list: [1] }, all: true }
    })
    assert.include(text, "  | path: a\n  | old:\n  |   one\n  |   two\n  | deep:\n  |   {\n  |     \"list\": [\n")
    assert.include(text, "  | all: true\n")
  })
})
