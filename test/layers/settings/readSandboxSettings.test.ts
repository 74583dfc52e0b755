import { assert, describe, it } from "@effect/vitest"
import { readSettings } from "../../../src/layers/settings/readSettings.ts"

const read = (sandbox: unknown) =>
  readSettings(JSON.stringify({ sandbox }), { source: "userSettings", base: "/", root: "/" })

describe("readSandboxSettings", () => {
  it("what is said is read", () => {
    const { diagnostics, sandbox } = read({
      enabled: true,
      failIfUnavailable: false,
      network: { allowedDomains: ["example.com"] },
      excludedCommands: ["docker"]
    })
    assert.deepStrictEqual(sandbox, { enabled: true, failIfUnavailable: false, allowedDomains: ["example.com"] })
    assert.deepStrictEqual(diagnostics, [])
  })

  it("what can't be read is taken for the stricter", () => {
    assert.deepStrictEqual(read("yes").sandbox, { enabled: true, failIfUnavailable: true, allowedDomains: [] })
    const { diagnostics, sandbox } = read({
      enabled: 1,
      failIfUnavailable: "no",
      network: { allowedDomains: [1, "a.example"] }
    })
    assert.deepStrictEqual(sandbox, { enabled: true, failIfUnavailable: true, allowedDomains: ["a.example"] })
    assert.strictEqual(diagnostics.length, 3)
    assert.isUndefined(read(null).sandbox)
  })
})
