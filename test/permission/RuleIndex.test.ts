import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Policy } from "../../src/domain/Policy.ts"
import type { Rule } from "../../src/domain/Rule.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { indexOf } from "../../src/permission/RuleIndex.ts"
import { joined, listsOf } from "../../src/permission/ruleLists.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { context } from "../support/services.ts"

const policyOf = (allow: ReadonlyArray<string>, deny: ReadonlyArray<string> = []): Effect.Effect<Policy> =>
  Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
    Effect.provide(RuleSourcesLayers.layerMemory({ texts: { userSettings: { allow, deny } } }))
  )

/** The same rules, counting how often anybody looks at what they match. */
const counted = (rules: ReadonlyArray<Rule>) => {
  const looks = { count: 0 }
  const list = rules.map(({ pattern, ...rule }): Rule => ({
    ...rule,
    get pattern() {
      looks.count++
      return pattern
    }
  }))
  return { list, looks }
}

const texts = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => rules.map(({ text }) => text)

describe("RuleIndex", () => {
  it.effect("a rule that comes to a list of its own arranges no other list anew", () =>
    Effect.gen(function*() {
      const policy = yield* policyOf(["Bash(npm run *)", "Read(src/**)", "mcp__notes"])
      const granted = yield* policyOf(["Bash(git status)"])
      const { list, looks } = counted(policy.rules)

      const before = indexOf({ ...policy, rules: joined([list]) })
      assert.isAbove(looks.count, 0)
      looks.count = 0
      const after = indexOf({ ...policy, rules: joined([joined([list]), granted.rules]) })

      assert.strictEqual(looks.count, 0)
      assert.deepStrictEqual(texts(before.forCommand("Bash", ["git"])), [])
      assert.deepStrictEqual(texts(after.forCommand("Bash", ["git"])), ["Bash(git status)"])
      assert.deepStrictEqual(texts(after.forCommand("Bash", ["npm"])), ["Bash(npm run *)"])
    }))

  it.effect("a grant keeps the lists of the policy before it", () =>
    Effect.gen(function*() {
      const sources = yield* RuleSources
      const before = yield* sources.policy(context)
      yield* sources.grant(context, "session", ["Bash(git status)"])
      const after = yield* sources.policy(context)

      assert.deepStrictEqual(texts(after.rules), ["Bash(npm run *)", "Bash(rm *)", "Bash(git status)"])
      assert.deepStrictEqual(listsOf(after.rules).slice(0, -1), listsOf(before.rules))
      for (const [at, list] of listsOf(before.rules).entries()) assert.strictEqual(listsOf(after.rules)[at], list)
    }).pipe(
      Effect.provide(
        RuleSourcesLayers.layerMemory({
          texts: { userSettings: { allow: ["Bash(npm run *)"] }, policySettings: { deny: ["Bash(rm *)"] } }
        })
      )
    ))

  it.effect("rules that deny or ask about paths are known, and whether any restricts a shell", () =>
    Effect.gen(function*() {
      const index = indexOf(yield* policyOf(["Read(src/**)"], ["Read(.env)", "Bash(rm *)"]))
      assert.deepStrictEqual(texts(index.restrictingPaths), ["Read(.env)"])
      assert.isTrue(index.restrictsShell)
      assert.isFalse(indexOf(yield* policyOf(["Read(src/**)"])).restrictsShell)
    }))
})
