import { assert, describe, it } from "@effect/vitest"
import { patchOf, showPatch } from "../../src/tools/patchOf.ts"

describe("patchOf", () => {
  it("lines that came and went are counted and shown with those around them", () => {
    const patch = patchOf("a\nb\nc\n", "a\nx\ny\nc\n")
    assert.deepInclude(patch, { added: 2, removed: 1 })
    assert.strictEqual(showPatch(patch), "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c")
    assert.deepStrictEqual(patchOf("same\n", "same\n"), { added: 0, removed: 0, hunks: [] })
  })

  it("two long texts with nothing in common are only counted", () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join("\n")
    assert.deepStrictEqual(patchOf(text("a"), text("b")), { added: 20_000, removed: 20_000, hunks: [] })
  })

  it("a small change in a long text is shown", () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`)
    const patch = patchOf(lines.join("\n"), lines.with(100_000, "other").join("\n"))
    assert.deepInclude(patch, { added: 1, removed: 1 })
    assert.include(showPatch(patch), "-line 100000\n+other")
  })

  it("a long diff is cut", () => {
    const text = (word: string) => Array.from({ length: 400 }, (_, index) => `${word}${index}`).join("\n")
    assert.match(showPatch(patchOf(text("a"), text("b"))), /… \d+ more lines of this diff$/)
  })
})
