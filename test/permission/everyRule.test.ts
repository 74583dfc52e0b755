import { assert, describe, it } from "@effect/vitest"
import { decide, explain } from "../../src/permission/decide.ts"
import { drawCall, drawHook, drawing, drawMode, drawRules, evidenceOf, policyOf } from "./lint/situations.ts"

describe("everyRule", () => {
  it("explaining decides as deciding does, by the same candidate, and names every rule for the tool's commands", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const draw = drawing(seed)
      const policy = policyOf(drawRules(draw), { mode: drawMode(draw) })
      const hook = drawHook(draw)
      for (let count = 0; count < 5; count++) {
        const evidence = evidenceOf(drawCall(draw), policy, hook)
        const [short, long] = [decide(evidence), explain(evidence)]
        const essence = ({ judged, ...rest }: typeof short) =>
          JSON.stringify([
            rest,
            judged.map(({ candidates, ...one }) => [one, candidates.find(({ deciding }) => deciding)])
          ])
        assert.strictEqual(essence(long), essence(short), JSON.stringify({ seed }))
        if (evidence.tool !== "Bash") continue
        const about = policy.rules.filter(({ pattern }) => pattern.specifier._tag === "Command")
        const named = long.judged[0]?.candidates.map(({ rule }) => JSON.stringify(rule)) ?? []
        for (const { behavior, origin, text } of about) {
          assert.include(named, JSON.stringify({ behavior, text, origin }), JSON.stringify({ seed }))
        }
      }
    }
  })
})
