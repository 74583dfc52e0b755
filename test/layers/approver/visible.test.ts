import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { visible } from "../../../src/layers/approver/visible.ts"

describe("visible", () => {
  it.prop("never gives a control character but the newline", { text: Schema.String }, ({ text }) => {
    assert.notMatch(visible(text), /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
  })

  it("holds for every character there is", () => {
    for (let start = 0; start <= 0x10ffff; start += 4096) {
      const all = Array.from({ length: 4096 }, (_, index) => String.fromCodePoint(start + index)).join(" ")
      assert.notMatch(visible(all), /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
    }
  })

  it.prop("leaves alone what it has made visible", { text: Schema.String }, ({ text }) => {
    assert.strictEqual(visible(visible(text)), visible(text))
  })

  it("leaves the writing of the world alone", () => {
    for (const text of ["plain ASCII ~", "naïve", "日本語", "русский", "हिन्दी", "👍", "line\nline"]) {
      assert.strictEqual(visible(text), text)
    }
  })

  it("spells out what would rewrite, hide or turn what is read", () => {
    assert.strictEqual(visible("npm publish #\recho harmless"), "npm publish #<CR>echo harmless")
    assert.strictEqual(visible("echo \u001B[2K\u001B[1A; npm publish"), "echo <ESC>[2K<ESC>[1A; npm publish")
    assert.strictEqual(visible("echo \u202Egnitsil\u202C"), "echo <U+202E>gnitsil<U+202C>")
    assert.strictEqual(visible("rm\u00A0-rf\u200B\u2066/\u2069"), "rm<U+00A0>-rf<U+200B><U+2066>/<U+2069>")
    assert.strictEqual(
      visible(`\u009B31m${String.fromCharCode(0xd800)}\u{E0041}\u3164`),
      "<U+009B>31m<U+D800><U+E0041><U+3164>"
    )
  })

  it("cuts down towers of marks", () => {
    assert.strictEqual(visible(`z${"\u0301".repeat(6)}`), `z${"\u0301".repeat(4)}<U+0301><U+0301>`)
  })
})
