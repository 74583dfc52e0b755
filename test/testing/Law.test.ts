import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { adapt, laws } from "toolgate/testing"

const law = (name: string) => {
  const found = laws.find((law) => law.name === name)
  return found ?? assert.fail(`no law is called ${name}`)
}

const neverAsks = law("dontAsk never asks")

describe("Law.check", () => {
  it.effect("takes functions that return, promise or run to a verdict", () =>
    Effect.gen(function*() {
      const held = yield* neverAsks.check(() => "deny", { seed: 1 })
      const promised = yield* neverAsks.check(() => Promise.resolve("deny"), { seed: 1 })
      const run = yield* neverAsks.check(() => Effect.succeed("deny"), { seed: 1 })
      assert.deepStrictEqual(held, { _tag: "Held", law: neverAsks.name, runs: 100, applied: 100, seed: 1 })
      assert.deepStrictEqual([promised, run], [held, held])
    }))

  it.effect("a function that throws, rejects, fails or makes no verdict breaks the law", () =>
    Effect.gen(function*() {
      const thrown = yield* neverAsks.check(() => {
        throw new Error("not now")
      })
      const rejected = yield* neverAsks.check(() => Promise.reject(new Error("not now")))
      const failed = yield* neverAsks.check(() => Effect.fail("not now"))
      for (const result of [thrown, rejected, failed]) {
        assert.match(result._tag === "Broken" ? result.why : result._tag, /^(?:Error: )?not now$/)
      }
      const unknown = yield* neverAsks.check(adapt(() => "block", { allow: "allow" }))
      assert.strictEqual(unknown._tag === "Broken" ? unknown.why : unknown._tag, "Error: `block` is no known answer")
    }))

  it.effect("the same seed draws the same situations, and another one others", () =>
    Effect.gen(function*() {
      const drawn = Effect.fnUntraced(function*(seed: number) {
        const lines: Array<string> = []
        yield* law("a hook's deny always denies").check((situation) => {
          lines.push(JSON.stringify(situation))
          return "deny"
        }, { seed, runs: 20 })
        return lines
      })
      const [one, again, other] = [yield* drawn(1), yield* drawn(1), yield* drawn(2)]
      assert.deepStrictEqual(one, again)
      assert.notDeepEqual(one, other)
    }))

  it.effect("a replay that is none, or another law's, checks nothing and says so", () =>
    Effect.gen(function*() {
      const broken = yield* law("a hook's deny always denies").check(() => "allow")
      const theirs = broken._tag === "Broken" ? broken.replay : assert.fail(broken._tag)
      for (const replay of ["", "nonsense", "{}", "null", theirs.slice(1), theirs]) {
        const result = yield* neverAsks.check(() => "deny", { replay })
        assert.strictEqual(result._tag, "Unchecked", replay)
      }
    }))

  it.effect("a counterexample is small", () =>
    Effect.gen(function*() {
      const blind = law("a deny anywhere in a line denies the line")
      const result = yield* blind.check(({ input, rules }) =>
        String(input["command"]).includes("&&") ? "allow" : JSON.stringify(rules).includes("deny") ? "deny" : "ask", {
        seed: 1,
        runs: 1000
      })
      if (result._tag !== "Broken") {
        return assert.fail(result._tag)
      }
      const { situations } = JSON.parse(result.counterexample)
      assert.isAtMost(situations[1].input.command.length, 12)
    }))
})

describe("Law.recheck", () => {
  it.effect("a line of another law is not checked", () =>
    Effect.gen(function*() {
      const other = yield* neverAsks.recheck(() => "ask", "{\"law\":\"another\",\"situations\":[]}")
      const none = yield* neverAsks.recheck(() => "ask", "no JSON")
      assert.deepStrictEqual([other._tag, none._tag], ["Unchecked", "Unchecked"])
    }))
})
