import { assert, describe, it } from "@effect/vitest"
import { decodeAnsi } from "../../../src/permission/bash/decodeAnsi.ts"

describe("decodeAnsi", () => {
  it("decodes what means the same everywhere", () => {
    assert.strictEqual(decodeAnsi("a\\tb\\n\\\\ \\' \\\" \\?"), "a\tb\n\\ ' \" ?")
    assert.strictEqual(decodeAnsi("\\x72\\x6d \\162m \\u0072m \\U00000072m"), "rm rm rm rm")
    assert.strictEqual(decodeAnsi("\\q"), "\\q")
    assert.strictEqual(decodeAnsi("a\\\nb"), "a\\\nb")
  })

  it("leaves open what depends on the locale, or ends the text", () => {
    for (const body of ["\\xe9", "\\u00e9", "\\0", "\\x00", "\\cA", "\\x{41}", "\\377", "\\u", "\\U110000"]) {
      assert.isUndefined(decodeAnsi(body), body)
    }
  })
})
