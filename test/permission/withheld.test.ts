import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { withheld } from "../../src/permission/withheld.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { context } from "../support/services.ts"

describe("a tool is withheld from a model", () => {
  it.effect("when a deny rule forbids every call of it, and by no other rule", () =>
    Effect.gen(function*() {
      const policy = yield* (yield* RuleSources).policy(context)
      const names = ["Bash", "Read", "Write", "WebFetch", "mcp__wiki__read", "mcp__wiki__write", "mcp__other__read"]
      assert.deepStrictEqual(
        names.filter((name) => withheld(policy, { name, server: undefined })),
        ["WebFetch", "mcp__wiki__read", "mcp__wiki__write"]
      )
    }).pipe(Effect.provide(RuleSourcesLayers.layerMemory({
      texts: { session: { deny: ["Bash(rm *)", "WebFetch", "mcp__wiki"], ask: ["Read"], allow: ["Write"] } }
    }))))
})
