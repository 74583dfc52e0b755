import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as LinePicker from "../../src/tools/LinePicker.ts"

const pick = (pieces: ReadonlyArray<string>, range: { readonly first: number; readonly count: number }) => {
  const picker = LinePicker.make({ ...range, lineChars: 8, totalChars: 1_000 })
  for (const piece of pieces) picker.push(piece)
  return picker.end()
}

describe("LinePicker", () => {
  it.prop(
    "it makes no difference how the text is cut, and all lines are those of the text",
    { pieces: Schema.Array(Schema.Literals(["a", "bcd", "\n", "\r\n", ""])) },
    ({ pieces }) => {
      const text = pieces.join("")
      const range = { first: 1, count: 1_000 }
      const picked = pick(pieces, range)
      assert.deepStrictEqual(picked, pick([text], range))
      const lines = text.split("\n").map((line) => line.replace(/\r$/, ""))
      if (text === "" || text.endsWith("\n")) lines.pop()
      assert.strictEqual(picked.total, lines.length)
      assert.deepStrictEqual(
        picked.lines.map((line) => line.slice(0, 8)),
        lines.map((line) => line.slice(0, 8))
      )
    }
  )

  it("only the range is held", () => {
    assert.deepStrictEqual(pick(["1\n2\n3\n4\n"], { first: 2, count: 2 }), {
      lines: ["2", "3"],
      total: 4,
      cutLines: [],
      full: false
    })
  })

  it("a long line is cut before half a character", () => {
    const { cutLines, lines } = pick(["1234567\u{1f525}8"], { first: 1, count: 1 })
    assert.deepStrictEqual(lines, ["1234567… [3 more characters]"])
    assert.deepStrictEqual(cutLines, [1])
  })
})
