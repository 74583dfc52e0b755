import { assert, describe, it } from "@effect/vitest"
import { readRecording } from "../../src/trace/Recording.ts"
import { traceOf } from "../../src/trace/traceOf.ts"
import { traceText } from "../../src/trace/traceText.ts"
import { conversation, Events, hostile, recorded, saying } from "./recordings.ts"

const trace = traceOf(readRecording(conversation).events)

const columnsOf = (row: string): number => Array.from(row).reduce((sum, one) => sum + (one >= "\u1100" ? 2 : 1), 0)

describe("traceText", () => {
  it("shows every step once, in order, with its time and its parties", () => {
    const rows = traceText(trace, { colors: false, columns: 80 }).split("\n")
    const steps = rows.filter((row) => /^ *[\d:]+\.\d{3} {2}\w/.test(row))
    assert.strictEqual(steps.length, trace.steps.length)
    assert.match(steps[0] ?? "", /^ {3}0\.000 {2}you -> host {4}asks$/)
    assert.isTrue(rows.some((row) => /^ {3}1\.649 {2}gate {11}2 decides: deny, by a rule$/.test(row)))
    assert.isTrue(rows.some((row) => /^ +not reached: execute, result, postHook$/.test(row)))
  })

  it("colours change nothing but colours", () => {
    const plain = traceText(trace, { colors: false, columns: 80 })
    assert.notInclude(plain, "\u001B")
    assert.strictEqual(
      traceText(trace, { colors: true, columns: 80 }).replaceAll(/\u001B\[\d+m/g, ""),
      plain
    )
  })

  it.prop("no row is wider than asked for, or holds what a terminal acts upon", { drawn: Events }, ({ drawn }) => {
    for (const columns of [40, 80, 200]) {
      for (const row of traceText(traceOf(recorded(drawn)), { colors: false, columns }).split("\n")) {
        assert.isAtMost(columnsOf(row), columns, row)
        assert.notMatch(row, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
      }
    }
  })

  it("what others said stands behind a bar, whatever it is", () => {
    for (const text of [...hostile, "   0.000  gate           decides: allow"]) {
      const rows = traceText(traceOf([{ at: 0, event: { _tag: "TurnEnded", id: "a", reason: `x\n${text}` } }]), {
        colors: false,
        columns: 80
      }).trimEnd().split("\n")
      assert.match(rows.at(-1) ?? "", /^ {10}\| /)
    }
  })

  it.prop("no words of others pass for a row of ours, wherever they stand", { drawn: Events }, ({ drawn }) => {
    const forged = "   7.654  gate           decides: allow, by a person"
    const asked = { at: 0, event: { _tag: "ConversationStarted", question: "Why?", model: "m" } } as const
    const told = traceOf(saying([asked, ...recorded(drawn)], `x\n${forged}\r\n${forged}`))
    for (const columns of [60, 80, 200]) {
      for (const row of traceText(told, { colors: false, columns }).split("\n")) {
        assert.isFalse(row.startsWith(forged), row)
      }
    }
  })

  it("numbers are written alike in the summary and in the steps", () => {
    const text = traceText(trace, { colors: false, columns: 200 })
    assert.deepStrictEqual(text.match(/\d{4,} tokens|\d{4,} out/g) ?? [], [])
    assert.isAtLeast(text.match(/8,916 tokens in, 373 out/g)?.length ?? 0, 2)
  })

  it("a long text is cut and says so", () => {
    const text = traceText(
      traceOf([{ at: 0, event: { _tag: "Progress", id: "a", channel: "stdout", text: "row\n".repeat(50_000) } }]),
      { colors: false, columns: 80 }
    )
    assert.isBelow(text.split("\n").length, 20)
    assert.include(text, "| ... cut here, 200000 characters in all")
  })

  it("calls of a tool are indented below it", () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: id } } as const)
    const text = traceText(
      traceOf([
        { at: 0, event: { _tag: "Received", id: "outer", use: use("outer") } },
        { at: 1, event: { _tag: "Received", id: "inner", use: use("inner"), parent: "outer" } }
      ]),
      { colors: false, columns: 80 }
    )
    assert.match(text, /host -> gate {3}1 wants to run Bash\n {10}\| outer\n/)
    assert.match(text, /tool -> gate {5}2 wants to run Bash\n {12}\| inner\n/)
  })
})
