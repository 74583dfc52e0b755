import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { allowsUrl } from "../../../src/layers/hooks/allowsUrl.ts"

describe("allowsUrl", () => {
  const rows: ReadonlyArray<readonly [string, string, boolean]> = [
    ["https://a.example/gate", "https://a.example/gate", true],
    ["https://a.example/gate", "https://a.example/gate/", false],
    ["https://a.example/gate", "https://a.example/gate?x=1", false],
    ["https://a.example/*", "https://a.example/gate?x=1", true],
    ["https://a.example", "https://a.example/", true],
    ["https://a.example", "https://a.example/gate", false],
    ["HTTPS://A.Example/*", "https://a.example/gate", true],
    ["https://a.example/*", "http://a.example/gate", false],
    ["https://a.example/*", "https://a.example:8443/gate", false],
    ["http://localhost:*/*", "http://localhost:8080/gate", true],
    ["https://*.example/*", "https://b.a.example/gate", true],
    ["https://*.example/*", "https://evil.test/.example/", false],
    ["https://*.example/*", "https://evil.test#.example/", false],
    ["https://a.example/*", "https://a.example@evil.test/", false],
    ["https://a.example/*", "https://a.example.evil.test/", false],
    ["https://a.example/*/gate", "https://a.example/x/../gate", false],
    ["https://a.example/a*a", "https://a.example/a", false],
    ["*", "https://a.example/", false],
    ["", "https://a.example/", false]
  ]
  for (const [pattern, address, allowed] of rows) {
    it(`\`${pattern}\` ${allowed ? "allows" : "does not allow"} \`${address}\``, () => {
      assert.strictEqual(allowsUrl([pattern], address), allowed)
    })
  }

  it.prop(
    "a pattern without stars allows itself alone, and one with any number of them is quick",
    { path: Schema.String },
    ({ path }) => {
      const address = `https://a.example/x${encodeURIComponent(path.toWellFormed())}`
      assert.isTrue(allowsUrl([address], address))
      assert.isTrue(allowsUrl([`https://a.example/${"*".repeat(1_000)}`], address))
      assert.isFalse(allowsUrl([`https://a.example/${"*a".repeat(200)}b`], `${address}${"a".repeat(5_000)}`))
    }
  )
})
