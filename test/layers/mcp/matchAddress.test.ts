import { assert, describe, it } from "@effect/vitest"
import { matchAddress } from "../../../src/layers/mcp/matchAddress.ts"

describe("matchAddress", () => {
  it("another spelling of a denied address is denied", () => {
    for (
      const address of [
        "https://evil.example/mcp",
        "HTTPS://evil.example/mcp",
        "https://EVIL.example:443/mcp",
        "https://evil.example./mcp",
        "https://me:secret@evil.example/mcp",
        " https://evil.example/mcp",
        "https:\\\\evil.example\\mcp",
        "https:evil.example/mcp",
        "https://evil.example/x/../mcp",
        "https://evil.example/%6dcp#",
        "https://evil.example/mcp?a"
      ]
    ) {
      for (const pattern of ["https://evil.example/mcp*", "https://Evil.example:443/mcp*", "*evil.example*/mcp*"]) {
        assert.isTrue(matchAddress(pattern, address, "deny"), `${pattern} ${address}`)
      }
    }
    assert.isTrue(matchAddress("http://127.0.0.1:9/*", "http://127.1:9", "deny"))
    assert.isTrue(matchAddress("nonsense*", "nonsense, no address", "deny"))
    assert.isFalse(matchAddress("https://evil.example/*", "https://good.example/", "deny"))
  })

  it("a star in the host of an allowed address stays in the host", () => {
    for (const pattern of ["https://*.corp.example/*", "*://*.corp.example/*"]) {
      assert.isTrue(matchAddress(pattern, "https://a.corp.example/mcp", "allow"), pattern)
      assert.isTrue(matchAddress(pattern, "https://A.B.corp.example", "allow"), pattern)
      for (
        const address of [
          "https://evil.example/.corp.example/",
          "https://evil.example/?.corp.example/",
          "https://evil.example#.corp.example/",
          "https://evil.example\\.corp.example/",
          "https://x.corp.example@evil.example/",
          "https://x.corp.example\\@evil.example\\..\\..",
          "https://corp.example/",
          "x://evil.example/://a.corp.example/",
          "no address"
        ].filter((address) => URL.parse(address)?.hostname.endsWith(".corp.example") !== true)
      ) {
        assert.isFalse(matchAddress(pattern, address, "allow"), `${pattern} ${address}`)
      }
    }
  })
})
