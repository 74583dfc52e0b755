import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { Arbitraries, printShell, simpleCommands } from "toolgate/testing"
import { printWord } from "../../../src/testing/shell/printWord.ts"

const bash = (script: string, input: string): string =>
  execFileSync("bash", ["--norc", "-c", script], { input, encoding: "utf8", env: { LC_ALL: "C.UTF-8" } })

describe("printShell", () => {
  it.effect("bash accepts every line, with any gap between words", () =>
    Effect.gen(function*() {
      const trees = yield* Arbitrary.sampleEffect(Arbitraries.shells, { count: 150, size: 12, seed: 7 })
      const lines = trees.flatMap((tree) => [printShell(tree), printShell(tree, " \t ")])
      const script = "while IFS= read -r -d '' line; do bash -n -c \"$line\" 2>&1 || printf '%s' \"$line\"; done"
      assert.strictEqual(bash(script, lines.map((line) => `${line}\0`).join("")), "")
    }))

  it.effect("bash hands the words of every quoting to the program as they are meant", () =>
    Effect.gen(function*() {
      const simples = yield* Arbitrary.sampleEffect(Arbitraries.simples, { count: 200, size: 12, seed: 7 })
      const words = simples.flatMap(({ program, words }) => [program, ...words])
      const got = bash(`printf '%s\\0' ${words.map(printWord).join(" ")}`, "")
      assert.deepStrictEqual(got.split("\0").slice(0, -1), words.map(({ text }) => text))
    }))

  it.effect("lines of every kind are drawn, and some of them are deep", () =>
    Effect.gen(function*() {
      const trees = yield* Arbitrary.sampleEffect(Arbitraries.shells, { count: 300, size: 20, seed: 7 })
      assert.strictEqual(new Set(trees.map(({ _tag }) => _tag)).size, 6)
      assert.isAbove(Math.max(...trees.map((tree) => simpleCommands(tree).length)), 3)
    }))
})
