import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { wrap } from "../../../src/layers/approver/wrap.ts"

const Width = Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 40 }))

describe("wrap", () => {
  it.prop("loses nothing", { text: Schema.String, width: Width }, ({ text, width }) => {
    const rows = wrap(text, width)
    assert.strictEqual(rows.join(""), text.replaceAll("\n", ""))
  })

  it.prop("keeps to the width, but for a space that hangs over", { text: Schema.String, width: Width }, (drawn) => {
    for (const row of wrap(drawn.text, drawn.width)) {
      assert.isAtMost(row.replace(/ $/, "").length, drawn.width)
    }
  })

  it("breaks between words where it can, and anywhere where it must", () => {
    assert.deepStrictEqual(wrap("one two three", 8), ["one two ", "three"])
    assert.deepStrictEqual(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"])
    assert.deepStrictEqual(wrap("日本語日本語", 8), ["日本語日", "本語"])
    assert.deepStrictEqual(wrap("a\n\nb", 8), ["a", "", "b"])
  })
})
