import { assert, describe, it } from "@effect/vitest"
import { containsBounded, containsText } from "../../../src/permission/lint/containsText.ts"
import { containsTool } from "../../../src/permission/lint/containsTool.ts"
import { matchTool } from "../../../src/permission/rule/matchTool.ts"
import { matchPieces } from "../../../src/permission/rule/pieces.ts"
import { type Draw, drawing } from "./situations.ts"

const drawText = ({ below, of }: Draw): string => Array.from({ length: below(4) }, () => of(["a", "b", " "])).join("")
const drawPieces = (draw: Draw) => Array.from({ length: 1 + draw.below(3) }, () => drawText(draw))

// Every text of up to five characters over the few that the patterns are made of, and one more.
const texts = ["", "a", "b", " ", "c"].reduce<ReadonlyArray<string>>(
  (all) => [...new Set(all.flatMap((text) => ["", "a", "b", " ", "c"].map((end) => text + end)))],
  [""]
)

describe("containsText", () => {
  it("says yes only where every text agrees, and no only where some text does not", () => {
    let yes = 0
    for (let seed = 1; seed <= 3000; seed++) {
      const draw = drawing(seed)
      const [outer, inner] = [drawPieces(draw), drawPieces(draw)]
      if (containsText(outer, inner)) {
        yes++
        const escaped = texts.find((text) => matchPieces(inner, text) && !matchPieces(outer, text))
        assert.isUndefined(escaped, JSON.stringify({ outer, inner }))
      } else {
        assert.isFalse(matchPieces(outer, inner.join("c")), JSON.stringify({ outer, inner }))
      }
    }
    assert.isAbove(yes, 100)
  })

  it("a boundary stands for the text alone or with more after a blank", () => {
    const git = { pieces: ["git"], boundary: true }
    assert.isTrue(containsBounded(git, { pieces: ["git"], boundary: false }))
    assert.isTrue(containsBounded(git, { pieces: ["git push"], boundary: true }))
    assert.isTrue(containsBounded({ pieces: ["git", ""], boundary: false }, git))
    assert.isFalse(containsBounded(git, { pieces: ["git", ""], boundary: false }))
    assert.isFalse(containsBounded({ pieces: ["git ", ""], boundary: false }, git))
  })
})

describe("containsTool", () => {
  it("agrees with what rules match", () => {
    const names = ["Read", "mcp__s", "mcp__s__a", "mcp__s__get_a", "mcp__t__a", "mcp__sx__a", "mcp__s__a__b"]
    const tools = [["Read"], ["mcp__s"], ["mcp__s__", ""], ["mcp__s__get_", ""], ["mcp__s__a"], ["mcp__", "__a"], [
      "",
      ""
    ]]
    for (const outer of tools) {
      for (const inner of tools) {
        const escaped = names.find((name) => matchTool(inner, name) && !matchTool(outer, name))
        if (containsTool(outer, inner)) assert.isUndefined(escaped, JSON.stringify({ outer, inner }))
      }
    }
    assert.isTrue(containsTool(["mcp__s"], ["mcp__s__", ""]))
    assert.isTrue(containsTool(["", ""], ["Read"]))
    assert.isFalse(containsTool(["mcp__s__", ""], ["mcp__s"]))
  })
})
