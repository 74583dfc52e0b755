import { assert, describe, it } from "@effect/vitest"
import type { Report } from "../../src/cli/Reporter.ts"
import { summary } from "../../src/cli/summary.ts"
import { harmless } from "../layers/approver/question.ts"

const report: Report = {
  use: { type: "tool_use", id: "toolu_1", name: "Bash", input: {} },
  result: { type: "tool_result", tool_use_id: "toolu_1", content: "what the model reads", is_error: true },
  outcome: "denied",
  decision: harmless.decision,
  answer: undefined,
  notes: []
}

describe("summary", () => {
  it("says who declined, and how to allow what nobody could be asked about", () => {
    assert.strictEqual(summary({ ...report, answer: { _tag: "Denied" } }), "`Bash` was denied: you declined")
    assert.strictEqual(
      summary({ ...report, answer: { _tag: "Once" } }),
      "`Bash` was denied: the audit log that settings require could not be written"
    )
    assert.strictEqual(
      summary({ ...report, answer: { _tag: "Nobody", why: "there is no terminal to ask at" } }),
      "`Bash` was denied: no rule allows it, and `npm publish` is not known to only look, and there is no terminal to ask at; " +
        "allow it with --allowed-tools 'Bash(npm publish *)'"
    )
  })

  it("names the rule that denies, and where it was written", () => {
    const rule = { behavior: "deny", text: "Bash(npm *)", origin: { source: "cliArg" } } as const
    const decision = { ...harmless.decision, verdict: "deny", why: "it matches `npm publish`", rule } as const
    assert.strictEqual(
      summary({ ...report, decision }),
      "`Bash` was denied: it matches `npm publish` (deny rule `Bash(npm *)`, cliArg)"
    )
  })

  it("quotes what it offers for the shell", () => {
    const decision = { ...harmless.decision, suggestions: ["Bash(echo 'it')"] }
    const answer = { _tag: "Nobody", why: "x" } as const
    assert.include(summary({ ...report, decision, answer }), "--allowed-tools 'Bash(echo '\\''it'\\'')'")
  })

  it("offers nothing that could not be copied from the line", () => {
    const answer = { _tag: "Nobody", why: "x" } as const
    for (const text of ["Edit(a\u202eb)", "Bash(a\nb)", "Bash(\u001b[31m)", `Bash(${"a".repeat(600)})`]) {
      const decision = { ...harmless.decision, suggestions: [text] }
      assert.notInclude(summary({ ...report, decision, answer }), "--allowed-tools", text)
    }
  })

  it("keeps to the first line of what was wrong, and leaves the schema to the model", () => {
    const content = "<tool_use_error>the input is not valid\n\nwhat the tool expects: {}</tool_use_error>"
    const wrong: Report = { ...report, outcome: "wrong", result: { ...report.result, content } }
    assert.strictEqual(summary({ ...wrong, decision: undefined }), "the input is not valid; see `toolgate tools`")
    // What came as far as a decision has the right form.
    assert.strictEqual(summary(wrong), "the input is not valid")
  })
})
