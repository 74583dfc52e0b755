import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { expandBraces } from "../../../src/permission/bash/expandBraces.ts"

const expanded = (text: string): ReadonlyArray<string> | undefined =>
  expandBraces<never>([...text])?.map((units) => units.join(""))

describe("expandBraces", () => {
  it("expands as bash does", () => {
    const rows: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["a{b,c}d", ["abd", "acd"]],
      ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
      ["{a,{b,c}}", ["a", "b", "c"]],
      ["{a{b,c}}", ["{ab}", "{ac}"]],
      ["{,x}", ["", "x"]],
      ["{a}", ["{a}"]],
      ["{a,b", ["{a,b"]],
      ["{3..1}", ["3", "2", "1"]],
      ["{-1..1}", ["-1", "0", "1"]],
      ["{08..10}", ["08", "09", "10"]],
      ["{1..7..3}", ["1", "4", "7"]],
      ["{a..e..2}", ["a", "c", "e"]],
      ["{}", ["{}"]]
    ]
    for (const [text, words] of rows) assert.deepStrictEqual(expanded(text), words, text)
  })

  it("carries along what is no plain character", () => {
    const quoted = { text: "{,}" }
    assert.deepStrictEqual(expandBraces(["{", quoted, ",", "b", "}"]), [[quoted], ["b"]])
    assert.deepStrictEqual(expandBraces(["a", quoted]), [["a", quoted]])
  })

  it("gives up on many words rather than making them", () => {
    assert.isUndefined(expanded("{1..1000}"))
    assert.isUndefined(expanded("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"))
    assert.isUndefined(expanded("{1..99999999999999999999}"))
  })

  it.prop(
    "a word without braces is itself",
    { text: Schema.String.check(Schema.isPattern(/^[^{}]*$/)) },
    ({ text }) => {
      assert.deepStrictEqual(expandBraces<never>([...text]), [[...text]])
    }
  )
})
