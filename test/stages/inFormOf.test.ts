import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { inFormOf } from "../../src/stages/inFormOf.ts"

describe("inFormOf", () => {
  it.prop(
    "a value has the form of itself, and of nothing that it is wrapped in",
    { value: Schema.Json },
    ({ value }) => {
      assert.deepStrictEqual(inFormOf(value, value), { value })
      assert.deepStrictEqual(inFormOf({ value, more: 1 }, { value }), { value: { value, more: 1 } })
      assert.isUndefined(inFormOf({ other: value }, { value, text: "" }))
      assert.isUndefined(inFormOf([value], { value }))
    }
  )

  it.prop(
    "what a list had may be left out, moved and repeated, and takes nothing from the items beside it",
    { items: Schema.Array(Schema.Json), at: Schema.Array(Schema.Natural) },
    ({ at, items }) => {
      const kept = at.flatMap((place) => items.slice(place % 4, place % 4 + 1))
      assert.deepStrictEqual(inFormOf(kept, items), { value: kept })
    }
  )

  it("takes numbers and truth values that are missing, and no texts", () => {
    const model = { stdout: "secret", stderr: "", exitCode: 0, interrupted: false, lines: [{ text: "a" }, { at: 1 }] }
    assert.deepStrictEqual(inFormOf({ stdout: "***", stderr: "", lines: [] }, model), {
      value: { stdout: "***", stderr: "", exitCode: 0, interrupted: false, lines: [] }
    })
    for (
      const given of [
        { stdout: "***" },
        { stdout: 5, stderr: "", lines: [] },
        { stdout: "***", stderr: null, lines: [] },
        { stdout: "***", stderr: "", lines: {} },
        { stdout: "***", stderr: "", lines: ["a"] },
        "***",
        null,
        undefined
      ]
    ) assert.isUndefined(inFormOf(given, model), JSON.stringify(given))
    const lines = [{ text: "b" }, {}]
    assert.deepStrictEqual(inFormOf({ ...model, lines }, model), {
      value: { ...model, lines: [{ text: "b" }, { at: 1 }] }
    })
  })
})
