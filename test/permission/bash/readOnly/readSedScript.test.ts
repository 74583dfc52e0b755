import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readSedScript } from "../../../../src/permission/bash/readOnly/readSedScript.ts"

describe("readSedScript", () => {
  it("tells which files a script opens", () => {
    assert.deepStrictEqual(readSedScript("w out").writes, ["out"])
    assert.deepStrictEqual(readSedScript("s/a/b/gw out.txt\np").writes, ["out.txt"])
    assert.deepStrictEqual(readSedScript("/x/{\nW a b\nr c\n}").writes, ["a b"])
    assert.deepStrictEqual(readSedScript("/x/{\nW a b\nr c\n}").reads, ["c"])
    assert.deepStrictEqual(readSedScript("s,[,],w out").writes, [])
  })

  it("goes on after a command that runs something", () => {
    const script = readSedScript("e date\nw out")
    assert.strictEqual(script.more, "`e` runs a command")
    assert.deepStrictEqual(script.writes, ["out"])
  })

  it("tells which commands a script starts", () => {
    assert.deepStrictEqual(readSedScript("1e rm x\np").runs, ["rm x"])
    assert.deepStrictEqual(readSedScript("/a/{\ne date\n}\ns/a/b/e").runs, ["date", ""])
    assert.deepStrictEqual(readSedScript("s/a/b/gew out").runs, [""])
    assert.deepStrictEqual(readSedScript("i\\\ne rm\ns/e rm/x/").runs, [])
  })

  it("knows text from commands", () => {
    for (
      const script of [
        "a w out",
        "i\\\ne rm",
        "c w\\\nw out",
        "# w out",
        "s/w out/e/",
        "y/we/ab/",
        ":w",
        "b w",
        "/w/d",
        "p",
        ""
      ]
    ) {
      assert.isUndefined(readSedScript(script).more, script)
    }
    assert.isDefined(readSedScript("a\\\ntext\nw out").more)
    assert.isDefined(readSedScript("p;w out").more)
  })

  it.prop(
    "any text is answered, and a write command at its own line is never missed",
    { text: Schema.String },
    ({ text }) => {
      const plain = text.replace(/[^a-z ]/g, "")
      assert.isDefined(readSedScript(`s/${plain}/x/\nw out`).more)
      assert.isBoolean(readSedScript(text).more === undefined)
    }
  )
})
