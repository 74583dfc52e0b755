import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { lineAt, occurrences, replaceText } from "../../src/tools/replaceText.ts"

const Text = Schema.Array(Schema.Literals(["a", "b", "\n", "\r\n", "$&", "(", "\\"]))

const replace = (text: string, old: string, by: string) => replaceText(text, occurrences(text, old), by)

describe("replaceText", () => {
  it("places do not overlap", () => {
    assert.strictEqual(replace("aaa", "aa", "b"), "ba")
  })

  it("a line end fits both kinds in a file with CRLF, and each place keeps its kind", () => {
    assert.strictEqual(replace("a\r\nb\na\nb\r\n", "a\nb", "x\ny"), "x\r\ny\nx\ny\r\n")
    assert.strictEqual(replace("a\r\nb", "a", "x\ny"), "x\r\ny\r\nb")
    assert.strictEqual(replace("a\nb", "a", "x\r\ny"), "x\r\ny\nb")
    assert.strictEqual(replace("a.\r\nb", "a.\r\nb", "c"), "c")
  })

  it.prop("without CRLF it is what splitting and joining does", { text: Text, old: Text, by: Text }, (drawn) => {
    const [text, old, by] = [drawn.text, drawn.old, drawn.by].map((parts) => parts.join("").replaceAll("\r\n", "\n"))
    if (text === undefined || old === undefined || by === undefined || old === "") return
    assert.strictEqual(replace(text, old, by), text.split(old).join(by))
  })

  it.prop("replacing a text by itself changes nothing", { text: Text, old: Text }, (drawn) => {
    const text = drawn.text.join("")
    const old = drawn.old.join("")
    assert.strictEqual(replace(text, old, old), text)
  })

  it("lines are counted from 1", () => {
    assert.deepStrictEqual([0, 1, 2, 3].map((at) => lineAt("a\nb\n", at)), [1, 1, 2, 2])
  })
})
