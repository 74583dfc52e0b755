import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { makeLineSplitter } from "../../src/cli/LineSplitter.ts"

const texts = (limit: number, pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<string> => {
  const { push } = makeLineSplitter(limit)
  return pieces.flatMap((piece) => push(piece)).map((line) => line._tag === "Line" ? line.text : line._tag)
}

describe("makeLineSplitter", () => {
  it.prop(
    "gives the same lines however the bytes come",
    { lines: Schema.Array(Schema.String), size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })) },
    ({ lines, size }) => {
      const bytes = Buffer.from(lines.map((line) => `${line.replaceAll("\n", "")}\n`).join(""))
      const pieces: Array<Uint8Array> = []
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
      assert.deepStrictEqual(texts(1_000_000, pieces), texts(1_000_000, [bytes]))
    }
  )

  it("leaves out what is too long, up to its end, and empty lines", () => {
    const long = Buffer.from("x".repeat(11))
    assert.deepStrictEqual(texts(10, [long, long, Buffer.from("\n\n  \nab\n0123456789\n0123456789a\nc\n")]), [
      "TooLong",
      "ab",
      "0123456789",
      "TooLong",
      "c"
    ])
  })

  it("says of bytes that are no text that they are none, and goes on", () => {
    assert.deepStrictEqual(texts(10, [Uint8Array.of(0xff, 10, 0x61, 10)]), ["NoText", "a"])
  })

  it("keeps what has no end yet", () => {
    assert.deepStrictEqual(texts(10, [Buffer.from("a\nb")]), ["a"])
  })

  it.prop("gives a last line without an end as one with it", { text: Schema.String }, ({ text }) => {
    const { end, push } = makeLineSplitter(5)
    assert.deepStrictEqual([...push(Buffer.from(text)), ...end()], makeLineSplitter(5).push(Buffer.from(`${text}\n`)))
    assert.deepStrictEqual(end(), [])
  })
})
