import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerMemory } from "../../../src/layers/RuleSources.ts"
import { readSettings } from "../../../src/layers/settings/readSettings.ts"
import { RuleSources } from "../../../src/services/RuleSources.ts"
import { context } from "../../support/services.ts"

const read = (maxResultSizeChars: unknown) =>
  readSettings(JSON.stringify({ maxResultSizeChars }), {
    source: "userSettings",
    base: "/",
    root: "/",
    known: new Set(["Weather"])
  })

describe("the setting `maxResultSizeChars`", () => {
  it("is a number by the name of a tool, its old one too", () => {
    const { diagnostics, maxResultSizeChars } = read({ Grep: 5_000, mcp__a__b: 500, BashOutput: 600, Weather: 700 })
    assert.deepStrictEqual(maxResultSizeChars, { Grep: 5_000, mcp__a__b: 500, TaskOutput: 600, Weather: 700 })
    assert.deepStrictEqual(diagnostics, [])
  })

  it("what is no such number is left out, and a name that is nearly a tool's is pointed out", () => {
    const { diagnostics, maxResultSizeChars } = read({ Grep: 499, Bash: "many", Read: 1e300, Glob: 1.5, Grepp: 600 })
    assert.deepStrictEqual(maxResultSizeChars, { Grepp: 600 })
    assert.strictEqual(diagnostics.length, 5)
    assert.match(diagnostics[4]?.message ?? "", /no tool is named `Grepp`; `Grep` was probably meant/)
    assert.deepStrictEqual(read(5_000).maxResultSizeChars, {})
    assert.match(read(5_000).diagnostics[0]?.message ?? "", /is an object of numbers by tool/)
    assert.deepStrictEqual(read(null).diagnostics, [])
    assert.deepStrictEqual(read({ __proto__: 1, constructor: 600 }).maxResultSizeChars, { constructor: 600 })
  })

  it.effect("the stronger source decides for each tool, and a repository that nobody trusts for none", () =>
    Effect.gen(function*() {
      const limits = (tool: string, chars: number) => JSON.stringify({ maxResultSizeChars: { [tool]: chars } })
      const policy = (trusted: boolean) =>
        Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
          Effect.provide(layerMemory({
            trusted,
            files: {
              userSettings: JSON.stringify({ maxResultSizeChars: { Grep: 1_000, Read: 2_000 } }),
              projectSettings: limits("Read", 3_000),
              policySettings: limits("Grep", 4_000)
            }
          }))
        )
      assert.deepStrictEqual((yield* policy(true)).maxResultSizeChars, { Grep: 4_000, Read: 3_000 })
      const { diagnostics, maxResultSizeChars } = yield* policy(false)
      assert.deepStrictEqual(maxResultSizeChars, { Grep: 4_000, Read: 2_000 })
      assert.match(diagnostics.map(({ message }) => message).join(), /1 result limit is left out, since the folder/)
    }))
})
