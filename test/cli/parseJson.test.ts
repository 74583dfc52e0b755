import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseJson } from "../../src/cli/parseJson.ts"

const problemOf = (text: string): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.result(parseJson(text, "INPUT")),
    (result) => Result.isFailure(result) ? result.failure.problem : undefined
  )

describe("parseJson", () => {
  it.effect.prop("reads back what was written as JSON", { value: Schema.Json }, ({ value }) =>
    Effect.gen(function*() {
      const text = JSON.stringify(value)
      assert.deepStrictEqual(yield* parseJson(text, "INPUT"), JSON.parse(text))
    }))

  const known =
    /^INPUT (is empty, JSON is expected|is not JSON(, line \d+, column \d+: [a-z' ]+(; put JSON in single quotes for the shell)?)?)$/

  it.effect.prop(
    "says where any other text goes wrong, and shows none of it",
    { text: Schema.String },
    ({ text }) =>
      Effect.gen(function*() {
        const problem = yield* problemOf(text)
        if (problem !== undefined) assert.match(problem, known)
      })
  )

  it.effect("names line, column and reason", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* problemOf("{\"a\": 1,\n \"b\" 2}"),
        "INPUT is not JSON, line 2, column 6: a colon is missing"
      )
      assert.strictEqual(
        yield* problemOf("{\"a\": 1,}"),
        "INPUT is not JSON, line 1, column 9: a name in double quotes is missing"
      )
      assert.strictEqual(yield* problemOf("// x\n1"), "INPUT is not JSON, line 1, column 1: comments are not allowed")
      assert.strictEqual(
        yield* problemOf("\"a\nb\""),
        "INPUT is not JSON, line 1, column 1: a closing quote is missing"
      )
    }))

  it.effect("refuses what is nested deeper than anybody means", () =>
    Effect.gen(function*() {
      assert.isUndefined(yield* problemOf("[".repeat(500) + "]".repeat(500)))
      for (const depth of [501, 1_000_000]) {
        assert.include(yield* problemOf("[".repeat(depth) + "]".repeat(depth)), "deeper than 500 levels")
      }
      assert.include(yield* problemOf("[".repeat(1_000_000)), "is not JSON")
    }))
})
