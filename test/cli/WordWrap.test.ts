import { assert, describe, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import * as Schema from "effect/Schema"
import { makeWordWrap } from "../../src/cli/WordWrap.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const wrapped = (text: string, columns: number, size = text.length): string => {
  const { end, take } = makeWordWrap(() => columns)
  let rows = ""
  for (let at = 0; at < text.length; at += size) rows += take(text.slice(at, at + size))
  return rows + end()
}

const words = Schema.Literals([
  "a",
  "of",
  "words,",
  "interruption",
  "a-word-that-is-longer-than-most-rows-are",
  "re\u0301sume\u0301",
  "\u2014",
  "\u2705",
  "`npm run check`",
  "\u6f22\u5b57\u3068\u3001\u304b\u306a",
  "\u0440\u0443\u0441\u0441\u043a\u0438\u0439"
])
const spaces = Schema.Literals([" ", " ", "  ", "\n", "\n\n", "\n    "])
const prose = Schema.Array(Schema.Tuple([words, spaces]))
const textOf = (pieces: typeof prose.Type): string => pieces.flat().join("")

/** What no row is broken within. */
const unbroken = /(?:`[^`]*`|\S)+/g

describe("makeWordWrap", () => {
  it.prop("loses no letter and adds none", { pieces: prose, columns: between(1, 60) }, ({ columns, pieces }) => {
    const text = textOf(pieces)
    assert.strictEqual(wrapped(text, columns).replace(/\s/g, ""), text.replace(/\s/g, ""))
  })

  it.prop("keeps every line break, and adds no empty row", { pieces: prose, columns: between(1, 60) }, (drawn) => {
    const text = textOf(drawn.pieces)
    const empty = (rows: string): number => rows.split("\n").filter((row) => row.trim() === "").length
    assert.strictEqual(empty(wrapped(`${text}.`, drawn.columns)), empty(`${text}.\n`))
  })

  it.prop(
    "the edge of the terminal breaks no word, but for one that is longer than a row",
    { pieces: prose, columns: between(8, 60) },
    ({ columns, pieces }) => {
      for (const row of wrapped(textOf(pieces), columns).split("\n")) {
        const indent = row.search(/\S|$/)
        for (const { 0: word, index } of row.matchAll(unbroken)) {
          const cells = displayWidth(word)
          const [first, last] = [displayWidth(row.slice(0, index)), displayWidth(row.slice(0, index)) + cells - 1]
          if (indent + cells <= columns) {
            assert.strictEqual(Math.floor(first / columns), Math.floor(last / columns), row)
          }
        }
      }
    }
  )

  it.prop(
    "a row is broken only where the next word would not have fit",
    { pieces: Schema.Array(words), columns: between(8, 60) },
    ({ columns, pieces }) => {
      const rows = wrapped(pieces.join(" "), columns).split("\n")
      for (const [at, row] of rows.entries()) {
        const [next] = rows[at + 1]?.match(unbroken) ?? []
        if (next !== undefined) assert.isAbove(displayWidth(row) + 1 + displayWidth(next), columns)
      }
    }
  )

  it.prop(
    "gives the same however the text comes",
    { pieces: prose, columns: between(1, 60), size: between(1, 9) },
    ({ columns, pieces, size }) => {
      const text = textOf(pieces)
      assert.strictEqual(wrapped(text, columns, size), wrapped(text, columns))
    }
  )

  it.prop(
    "leaves blocks of code as they are",
    {
      before: prose,
      code: prose,
      after: prose,
      fence: Schema.Literals(["```", "~~~", "````"]),
      columns: between(8, 60)
    },
    ({ after, before, code, columns, fence }) => {
      const [pre, post] = [`${textOf(before)}\n`, textOf(after)]
      const block = `${fence}sh\n${textOf(code)}\n${fence}\n`
      assert.strictEqual(wrapped(pre + block + post, columns), wrapped(pre, columns) + block + wrapped(post, columns))
    }
  )

  it("holds back no more than a word, and none that ends a sentence", () => {
    const { isMidLine, take } = makeWordWrap(() => 20)
    assert.isFalse(isMidLine())
    assert.deepStrictEqual(["It is", " don", "e", ", I", " guess."].map(take), ["It", " is", "", " done,", " I guess."])
    assert.isTrue(isMidLine())
  })

  it("goes by the width that the terminal has now", () => {
    let columns = 40
    const { end, take } = makeWordWrap(() => columns)
    const first = take("It was a wide terminal once,")
    columns = 20
    assert.strictEqual(
      first + take(" and then it was a narrow one.") + end(),
      [
        // Which a terminal of 20 shows in two rows.
        "It was a wide terminal once, and then it",
        "was a narrow one.",
        ""
      ].join("\n")
    )
  })

  it("leaves what is between a single pair of marks in one piece, and no more", () => {
    assert.strictEqual(
      wrapped("Now run `npm run check -- tests` or so.", 24),
      "Now run\n`npm run check -- tests`\nor so.\n"
    )
    assert.strictEqual(wrapped("```not a block``` of code\nand so on", 10), "```not a block``` of\ncode\nand so on\n")
  })
})
