import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { scrubbed } from "../../src/tools/ShellEnvironment.ts"

describe("ShellEnvironment.scrubbed", () => {
  it("what a shell runs or reads by itself is taken out, and nothing else", () => {
    assert.deepStrictEqual(
      scrubbed({
        PATH: "/bin",
        HOME: "/h",
        BASH_ENV: "x",
        ENV: "x",
        SHELLOPTS: "x",
        PS4: "x",
        "BASH_FUNC_a%%": "() { b; }",
        none: undefined
      }),
      { PATH: "/bin", HOME: "/h" }
    )
  })

  it.prop(
    "no function comes through",
    { variables: Schema.Record(Schema.String, Schema.String) },
    ({ variables }) => {
      const exported = Object.fromEntries(Object.keys(variables).map((name) => [`BASH_FUNC_${name}%%`, "() { :; }"]))
      const left = scrubbed({ ...variables, ...exported })
      assert.isFalse(Object.keys(left).some((name) => name.startsWith("BASH_FUNC_")))
    }
  )
})
