import { assert, describe, it } from "@effect/vitest"
import { isTimed, runScenario, scenarios } from "../../scripts/conformanceScenarios.ts"

const listed = await scenarios()

describe("the protocol's conformance suite for clients", () => {
  it("lists its scenarios", () => {
    assert.include(listed, "initialize")
    assert.isAbove(listed.filter((name) => name.startsWith("auth/")).length, 20)
  })

  for (const scenario of listed) {
    it(`passes ${scenario}`, { retry: isTimed(scenario) ? 3 : 0 }, async () => {
      assert.isUndefined(await runScenario(scenario))
    })
  }
})
