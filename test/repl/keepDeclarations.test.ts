import { assert, describe, it } from "@effect/vitest"
import { keepDeclarations } from "../../src/repl/keepDeclarations.ts"

describe("keepDeclarations", () => {
  it("declarations at the top stay with the session, those below stay as they are", () => {
    assert.strictEqual(keepDeclarations("let a = 1, b\nconst { c } = a"), "var a = 1, b\nvar   { c } = a")
    assert.strictEqual(keepDeclarations("class A extends B {} new A"), "var A = class A extends B {}; new A")
    for (
      const code of [
        "for (let i = 0; i < 3; i++) { const a = i }",
        "function f() { let a }",
        "{ let a = 1 }",
        "var a",
        "'let a = 1'",
        "`${(() => { const a = 1; return a })()}`"
      ]
    ) assert.strictEqual(keepDeclarations(code), code)
  })

  it("awaits at the top are no reason to leave a declaration", () => {
    assert.strictEqual(keepDeclarations("const a = await f()"), "var   a = await f()")
  })

  it("code that is an object is no block", () => {
    assert.strictEqual(keepDeclarations(" { a: 1, b: await c } "), "({ a: 1, b: await c }\n)")
    for (const code of ["{ a: 1; }", "{ f() }\n{ g() }", "{ let a }", "{}; ({})"]) {
      assert.strictEqual(keepDeclarations(code), code)
    }
  })

  it("code that can't be parsed stays as it is", () => {
    for (const code of ["let a = ;", "", "let let = 1", "(".repeat(100_000)]) {
      assert.strictEqual(keepDeclarations(code), code)
    }
  })
})
