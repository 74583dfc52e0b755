import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as OutputText from "../../src/tools/OutputText.ts"
import { textOf } from "../../src/tools/Piece.ts"

const settled = OutputText.read

const live = (pieces: ReadonlyArray<Uint8Array>): string => {
  const text = OutputText.make()
  return pieces.map((piece) => textOf(text.push(piece).live)).join("") + textOf(text.end().live)
}

const bytes = (text: string) => new TextEncoder().encode(text)

const one = (text: string) => settled([bytes(text)])

/** Texts of all that matters here: returns, line ends, escapes, letters, and bytes that are no text. */
const Pieces = Schema.Array(
  Schema.Literals([
    "\r",
    "\n",
    "\x1b[31m",
    "\x1b]0;t\x07",
    "\x1b]8;;u\x1b\\",
    "\x1b(B",
    "\x1b",
    "[",
    "]",
    "a",
    "\u{1f525}",
    "é"
  ])
)

describe("OutputText", () => {
  it("plain text stays as it is", () => {
    assert.strictEqual(one("a\tb\nc"), "a\tb\nc")
    assert.strictEqual(one(""), "")
  })

  it("a line that returns is replaced by what follows, and CRLF is a line end", () => {
    assert.strictEqual(one("10%\r20%\r100%\ndone\r\n"), "100%\ndone\n")
    assert.strictEqual(one("kept\r"), "kept")
    assert.strictEqual(one("\r\rkept\r\r\n"), "kept\n")
  })

  it("escape sequences are taken out", () => {
    assert.strictEqual(
      one("\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(B\x1b=ok"),
      "red link ok"
    )
    assert.strictEqual(one("end\x1b[3"), "end")
    assert.strictEqual(one("a\x1b]no end\nb"), "a]no end\nb")
  })

  it("bytes that are no UTF-8 are replaced", () => {
    assert.strictEqual(settled([new Uint8Array([0xff, 0x41, 0xf0, 0x9f])]), "\ufffdA\ufffd")
  })

  it.prop(
    "it makes no difference where the bytes are cut",
    { pieces: Pieces, cuts: Schema.Array(Schema.Int) },
    (drawn) => {
      const all = bytes(drawn.pieces.join(""))
      const at = [...new Set([0, all.length, ...drawn.cuts.map((cut) => Math.abs(cut) % (all.length + 1))])]
        .sort((a, b) => a - b)
      const parts = at.slice(1).map((end, index) => all.subarray(at[index], end))
      assert.strictEqual(settled(parts), settled([all]))
      assert.strictEqual(live(parts), live([all]))
      assert.isTrue(settled(parts).isWellFormed())
      assert.notInclude(settled(parts), "\x1b")
    }
  )

  it("a line without end is not held for ever", () => {
    const text = OutputText.make()
    assert.isAbove(text.push(bytes("x".repeat(100_000))).settled.length, 0)
  })
})
