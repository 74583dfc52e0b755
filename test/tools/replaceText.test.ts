import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { lineAt, occurrences, replaceText, secondOccurrence } from "../../src/tools/replaceText.ts"

const Text = Schema.Array(Schema.Literals(["a", "b", "\n", "\r\n", "\r", "$&", "(", "\\"]))

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
    const [text, old, by] = [drawn.text, drawn.old, drawn.by].map((parts) => parts.join("").replace(/\r+\n/g, "\n"))
    if (text === undefined || old === undefined || by === undefined || old === "") return
    assert.strictEqual(replace(text, old, by), text.split(old).join(by))
  })

  /** Every place there is, by trying them all: a line end is never cut in two. */
  const everyPlace = (text: string, wanted: string) => {
    const lf = (part: string) => part.replaceAll("\r\n", "\n")
    const cuts = (at: number) => text.slice(at - 1, at + 1) === "\r\n" && at > 0
    const places: Array<{ readonly start: number; readonly end: number }> = []
    for (let start = 0; start < text.length; start++) {
      for (let end = start + 1; end <= text.length; end++) {
        if (lf(text.slice(start, end)) === lf(wanted) && !cuts(start) && !cuts(end)) places.push({ start, end })
      }
    }
    return places
  }

  it.prop("a text of several lines is found in any line ends, wherever it is", { text: Text, old: Text }, (drawn) => {
    const [text, old] = [`${drawn.text.join("")}\r\n`, `a\n${drawn.old.join("")}`]
    const all = everyPlace(text, old)
    let last = 0
    const apart = all.filter(({ end, start }) => {
      if (start < last) return false
      last = end
      return true
    })
    assert.deepStrictEqual(occurrences(text, old), apart)
    assert.deepStrictEqual(secondOccurrence(text, old), all[1])
  })

  it("many lines, and many places of one line, take no time to speak of", () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => `line ${n}`).join("\n")
    assert.strictEqual(replace(`${lines.replaceAll("\n", "\r\n")}\r\n`, lines, "x"), "x\r\n")
    const long = "a".repeat(400_000)
    assert.strictEqual(replace(`${long}\r\n`, "a", "b"), `${"b".repeat(400_000)}\r\n`)
    assert.strictEqual(replace(`${long}\r\n`, "a", "\n").length, 800_002)
  })

  it("a place that overlaps the first is a second one", () => {
    assert.deepStrictEqual(secondOccurrence("aaa", "aa"), { start: 1, end: 3 })
    assert.deepStrictEqual(secondOccurrence("}\r\n}\r\n}\r\n", "}\n}\n"), { start: 3, end: 9 })
    assert.isUndefined(secondOccurrence("aab", "aa"))
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
