import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Arbitraries, placedRules, Situation } from "toolgate/testing"
import { RuleSource } from "../../src/domain/Rule.ts"
import { parseRule } from "../../src/permission/rule/parseRule.ts"
import { builtin } from "../../src/tools/builtin.ts"

const sample = <A>(arbitrary: Arbitrary.Arbitrary<A>, count = 400): Effect.Effect<ReadonlyArray<A>> =>
  Effect.orDie(Arbitrary.sampleEffect(arbitrary, { count, size: 10, seed: 7 }))

describe("Arbitraries", () => {
  it.effect("every rule that is drawn can be read", () =>
    Effect.gen(function*() {
      const texts = yield* sample(Arbitraries.ruleTexts)
      const lost = texts.filter((text) =>
        parseRule(text, { behavior: "deny", source: "userSettings" }).pattern === undefined
      )
      assert.deepStrictEqual(lost, [])
      assert.isAbove(new Set(texts).size, 50)
    }))

  it.effect("rules come from all eight sources", () =>
    Effect.gen(function*() {
      const rules = yield* sample(Arbitraries.rules)
      assert.deepStrictEqual(
        new Set(rules.map(({ origin }) => origin.source)),
        new Set(RuleSource.literals)
      )
      const sets = yield* sample(Arbitraries.ruleSets)
      assert.isTrue(sets.some((set) => placedRules(set).length > 3))
    }))

  it.effect("every built-in tool is called, with an input that it can read", () =>
    Effect.gen(function*() {
      const calls = yield* sample(Arbitraries.calls, 600)
      for (const tool of builtin) {
        const own = calls.filter((call) => call.tool === tool.name)
        assert.isNotEmpty(own, tool.name)
        for (const { input } of own) assert.strictEqual(tool.prepare(input)._tag, "Success", tool.name)
      }
    }))

  it.effect("situations are plain data: as JSON they come back the same", () =>
    Effect.gen(function*() {
      const codec = Schema.fromJsonString(Situation)
      for (const situation of yield* sample(Arbitraries.situations, 100)) {
        const text = yield* Schema.encodeEffect(codec)(situation)
        assert.deepStrictEqual(yield* Schema.decodeEffect(codec)(text), situation)
      }
    }))

  it.effect("disks hold links, and people answer in every way", () =>
    Effect.gen(function*() {
      const disks = yield* sample(Arbitraries.disks, 50)
      assert.isTrue(disks.some((files) => Object.values(files).some((file) => file.startsWith("-> "))))
      const answers = yield* sample(Arbitraries.answers, 100)
      assert.strictEqual(new Set(answers.map(({ _tag }) => _tag)).size, 4)
    }))
})
