import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Matcher from "../../../src/layers/hooks/Matcher.ts"

describe("Matcher.read", () => {
  it("knows names, lists, expressions and everything", () => {
    const rows: ReadonlyArray<readonly [matcher: string, tool: string, matches: boolean]> = [
      ["", "Bash", true],
      ["*", "Bash", true],
      [" ", "Bash", true],
      ["Bash", "Bash", true],
      ["bash", "Bash", false],
      ["Edit", "NotebookEdit", false],
      ["Edit|Write", "Write", true],
      ["Edit, Write", "Write", true],
      ["Edit|Write", "MultiEdit", false],
      ["Edit.*", "NotebookEdit", true],
      ["mcp__memory", "mcp__memory__read", false],
      ["mcp__memory__.*", "mcp__memory__read", true],
      ["my-tool", "my-tool", true],
      [".*", "anything", true],
      ["tool == \"Bash\"", "Bash", false]
    ]
    for (const [matcher, tool, matches] of rows) {
      assert.strictEqual(Matcher.read(matcher).matches(tool), matches, `${matcher} for ${tool}`)
      assert.isUndefined(Matcher.read(matcher).problem)
    }
  })

  it("a tool is found by the names that it had before", () => {
    assert.isTrue(Matcher.read("Task").matches("Agent"))
    assert.isTrue(Matcher.read("^Task$").matches("Agent"))
    assert.isTrue(Matcher.read("BashOutput|KillShell").matches("TaskStop"))
    assert.isFalse(Matcher.read("Task").matches("TaskStop"))
  })

  it("a matcher that can't be read lets its hooks run, and says so", () => {
    for (const text of ["*.jsonl", "(a", "[b-a]"]) {
      const matcher = Matcher.read(text)
      assert.isTrue(matcher.matches("Bash"), text)
      assert.isDefined(matcher.problem)
    }
  })

  it("an expression that takes exponential time is stopped, counts as matching, and says so", () => {
    const matcher = Matcher.read("^(a+)+$")
    assert.isFalse(matcher.matches("b"))
    assert.isUndefined(matcher.problem)
    assert.isTrue(matcher.matches(`${"a".repeat(200)}!`))
    assert.isDefined(matcher.problem)
  })

  it("an expression that a busy machine held up is tried again", () => {
    let held = 0
    const name = {
      toString: () => {
        const until = performance.now() + (held++ === 0 ? 200 : 0)
        while (performance.now() < until);
        return "Bash"
      }
    }
    const matcher = Matcher.read("^Edit$|^(?:Write)$")
    // A name that is slow to be read the first time stands for the machine.
    assert.isFalse(matcher.matches(name as unknown as string))
    assert.isUndefined(matcher.problem)
    assert.strictEqual(held, 2)
  })

  it("looking ahead and references back work as JavaScript has them", () => {
    assert.isFalse(Matcher.read("^(?!mcp__)").matches("mcp__notes__list"))
    assert.isTrue(Matcher.read("^(?!mcp__)").matches("Bash"))
    assert.isTrue(Matcher.read("(.)\\1").matches("Foo"))
  })

  it.prop("any text at all is a matcher", { text: Schema.String, tool: Schema.String }, ({ text, tool }) => {
    assert.isBoolean(Matcher.read(text).matches(tool))
  })
})
