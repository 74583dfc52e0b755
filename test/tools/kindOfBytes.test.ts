import { assert, describe, it } from "@effect/vitest"
import { kindOfBytes } from "../../src/tools/kindOfBytes.ts"

const latin1 = (text: string) => kindOfBytes(Buffer.from(text, "latin1"))

describe("kindOfBytes", () => {
  it("text that begins like a file of another kind is text", () => {
    for (
      const text of ["", "BZh is how it begins", "var ftyp = 1", "GIF89a is old", "RIFF    WEBP", "ID3 tags", "caf\xe9"]
    ) {
      assert.deepStrictEqual(latin1(text), { _tag: "Text" }, text)
    }
    assert.deepStrictEqual(kindOfBytes(Buffer.from("\ufeffwide", "utf16le")), { _tag: "Text" })
    assert.deepStrictEqual(kindOfBytes(Buffer.from("\u{1f525}").subarray(0, 3)), { _tag: "Text" })
  })

  it("images that a model can look at are known", () => {
    assert.deepStrictEqual(latin1("\x89PNG\r\n\x1a\n\0"), { _tag: "Image", mediaType: "image/png" })
    assert.deepStrictEqual(latin1("\xff\xd8\xff\xe0"), { _tag: "Image", mediaType: "image/jpeg" })
    assert.deepStrictEqual(latin1("GIF89a\x01\0"), { _tag: "Image", mediaType: "image/gif" })
    assert.deepStrictEqual(latin1("RIFF\x01\0\0\0WEBP"), { _tag: "Image", mediaType: "image/webp" })
  })

  it("other binary files say what they are", () => {
    assert.deepStrictEqual(latin1("%PDF-1.7"), { _tag: "Binary", what: "a PDF document" })
    assert.deepStrictEqual(latin1("\x1f\x8b\x08\0"), { _tag: "Binary", what: "a gzip archive" })
    assert.deepStrictEqual(latin1("a\0b"), { _tag: "Binary", what: "binary data" })
  })
})
