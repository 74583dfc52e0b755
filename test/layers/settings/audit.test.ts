import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { AuditSettings } from "../../../src/domain/AuditEntry.ts"
import { standard } from "../../../src/domain/AuditEntry.ts"
import type { Policy } from "../../../src/domain/Policy.ts"
import type { RuleSource } from "../../../src/domain/Rule.ts"
import { layerMemory } from "../../../src/layers/RuleSources.ts"
import { RuleSources } from "../../../src/services/RuleSources.ts"
import { context } from "../../support/services.ts"

const policy = (files: { readonly [Source in RuleSource]?: string }): Effect.Effect<Policy> =>
  Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(Effect.provide(layerMemory({ files })))

const on = "{\"audit\": true}"
const off = "{\"audit\": false}"

describe("the setting `audit`", () => {
  it.effect("is off unless a person or a manager switches it on", () =>
    Effect.gen(function*() {
      const audits = yield* Effect.forEach(
        [{}, { userSettings: on }, { flagSettings: on }, { policySettings: on }, { projectSettings: on }, {
          localSettings: on
        }],
        (files) => Effect.map(policy(files), ({ audit }) => audit)
      )
      assert.deepStrictEqual(audits, [undefined, standard, standard, standard, undefined, undefined])
    }))

  it.effect("the stronger source decides, so that nobody switches off a manager's log", () =>
    Effect.gen(function*() {
      const audits = yield* Effect.forEach([
        { userSettings: on, flagSettings: off },
        { userSettings: off, flagSettings: off, projectSettings: off, policySettings: on },
        { userSettings: on, policySettings: off }
      ], (files) => Effect.map(policy(files), ({ audit }) => audit))
      assert.deepStrictEqual(audits, [undefined, standard, undefined])
    }))

  it.effect("takes sizes, and reads what it can't read as switched on, with a warning", () =>
    Effect.gen(function*() {
      const cases: ReadonlyArray<readonly [string, AuditSettings, number]> = [
        ["{\"audit\": {\"maxBytes\": 100000, \"keep\": 3}}", { maxBytes: 100_000, keep: 3 }, 0],
        ["{\"audit\": {\"keep\": 0, \"maxBytes\": \"1\"}}", standard, 2],
        ["{\"audit\": {\"path\": \"/etc/passwd\"}}", standard, 1],
        ["{\"audit\": \"yes\"}", standard, 1]
      ]
      for (const [text, expected, warnings] of cases) {
        const { audit, diagnostics } = yield* policy({ userSettings: text })
        assert.deepStrictEqual(audit, expected, text)
        assert.strictEqual(diagnostics.length, warnings, text)
        assert.isTrue(diagnostics.every(({ severity }) => severity === "warning"))
      }
    }))

  it.effect("anybody who may speak of it may require it, and no stronger source undoes that but by ending the log", () =>
    Effect.gen(function*() {
      const required = "{\"audit\": {\"required\": true}}"
      const audits = yield* Effect.forEach([
        { userSettings: required },
        { userSettings: required, policySettings: "{\"audit\": {\"keep\": 3}}" },
        { userSettings: "{\"audit\": {\"required\": false}}", policySettings: required },
        { userSettings: required, policySettings: off },
        { projectSettings: required, userSettings: on },
        { userSettings: "{\"audit\": {\"required\": \"no\"}}" }
      ], (files) => Effect.map(policy(files), ({ audit }) => audit))
      assert.deepStrictEqual(audits, [
        { ...standard, required: true },
        { ...standard, keep: 3, required: true },
        { ...standard, required: true },
        undefined,
        standard,
        { ...standard, required: true }
      ])
    }))

  it.effect("in a project it is pointed out and left out", () =>
    Effect.gen(function*() {
      const { diagnostics } = yield* policy({ projectSettings: on })
      assert.match(diagnostics[0]?.message ?? "", /`audit` counts in user settings/)
    }))
})
