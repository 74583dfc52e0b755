import { assert, describe, it } from "@effect/vitest"
import { joinLines } from "../../../src/permission/bash/joinLines.ts"

const literalRanges = (text: string): Array<readonly [number, number]> =>
  [...text.matchAll(/'[^']*'/g)].map((found) => [found.index, found.index + found[0].length])

const ranges = (text: string) => ({ literal: literalRanges(text), words: [...literalRanges(text)] })

const join = (text: string) => joinLines(text, (each, found) => found.literal.push(...literalRanges(each)))

describe("joinLines", () => {
  it("takes continuations away outside literal text", () => {
    const joined = join("a \\\n b\\\nc 'd\\\ne' f\\\\\ng")
    assert.strictEqual(joined.text, "a  bc 'd\\\ne' f\\\\\ng")
    assert.isTrue(joined.agrees(ranges(joined.text)))
  })

  it("does not agree when the joined text reads otherwise", () => {
    assert.isFalse(join("a \\\n b").agrees({ literal: [[0, 5]], words: [] }))
  })

  it("does not agree behind a comment", () => {
    assert.isFalse(join("a # b \\\n c").agrees({ literal: [], words: [] }))
    assert.isTrue(join("a#b \\\n c").agrees({ literal: [], words: [] }))
    const quoted = joinLines("a ' # b' \\\n c", (text, found) => found.words.push(...literalRanges(text)))
    assert.isTrue(quoted.agrees(ranges(quoted.text)))
  })
})
