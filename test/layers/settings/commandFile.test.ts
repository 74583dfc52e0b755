import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readCommandFile } from "../../../src/layers/settings/commandFile.ts"
import { policyOf, withFiles } from "./withFiles.ts"

const read = (text: string) => readCommandFile(text, { source: "command", file: "/c.md", base: "/repo", root: "/repo" })

const rules = (text: string): ReadonlyArray<string> => {
  const found = read(text)
  return found._tag === "Rules"
    ? found.settings.rules.map(({ behavior, origin, text }) => `${behavior} ${text} ${origin.line}:${origin.column}`)
    : [found._tag]
}

describe("readCommandFile", () => {
  it("reads rules between blanks, between commas and as a list, each with its place", () => {
    assert.deepStrictEqual(rules("---\nallowed-tools: Read Bash(git log *)\n---\n"), [
      "allow Read 2:16",
      "allow Bash(git log *) 2:21"
    ])
    assert.deepStrictEqual(rules("---\r\ndescription: x\r\nallowed-tools: Read, Bash(git add:*)\r\n---\r\nGo."), [
      "allow Read 3:16",
      "allow Bash(git add:*) 3:22"
    ])
    assert.deepStrictEqual(
      rules("---\nallowed-tools:\n  - Read\n  - \"Bash(a, b *)\"\ndisallowed-tools: [Edit, WebFetch]\n---\n"),
      [
        "allow Read 3:5",
        "allow Bash(a, b *) 4:6",
        "deny Edit 5:20",
        "deny WebFetch 5:26"
      ]
    )
  })

  it("a file without frontmatter, or with an empty one, gives no rules", () => {
    assert.deepStrictEqual(rules("Do it.\n---\nallowed-tools: Read\n---\n"), ["None"])
    assert.deepStrictEqual(rules(""), ["None"])
    assert.deepStrictEqual(rules("---\n---\nallowed-tools: Read\n"), [])
    assert.deepStrictEqual(rules("---\nallowed-tools:\n---\n"), [])
  })

  it("what is no YAML is told with its line", () => {
    const bad = read("---\ndescription: x\nallowed-tools: [Read\n---\n")
    assert.strictEqual(bad._tag, "Broken")
    assert.isTrue(bad._tag === "Broken" && bad.line >= 3, JSON.stringify(bad))
    assert.strictEqual(read("---\nallowed-tools: Read\n")._tag, "Broken")
    assert.strictEqual(read("---\n- Read\n---\n")._tag, "Broken")
    assert.strictEqual(read("---\njust text\n---\n")._tag, "Broken")
    assert.strictEqual(read(`---\na: ${"[".repeat(20_000)}\n---\n`)._tag, "Broken")
  })

  it("a list of the wrong shape, a part of a rule and a misspelled name are pointed at", () => {
    const notes = (text: string) => {
      const found = read(text)
      return found._tag === "Rules" ? found.settings.diagnostics.map(({ severity }) => severity) : [found._tag]
    }
    assert.deepStrictEqual(notes("---\ndisallowed-tools: {Read: true}\n---\n"), ["error"])
    assert.deepStrictEqual(notes("---\nallowed-tools: 7\n---\n"), ["warning"])
    assert.deepStrictEqual(notes("---\nallowedTools: Read\n---\n"), ["warning"])
    assert.deepStrictEqual(notes("---\ndisallowed_tools: Read\n---\n"), ["error"])
    assert.include(notes("---\ndisallowed-tools: [Bash(a, b)]\n---\n"), "error")
    assert.deepStrictEqual(notes("---\ndescription: x\nmodel: y\n---\n"), [])
  })

  it.prop("never throws", { text: Schema.String }, ({ text }) => {
    read(text)
    read(`---\n${text}\n---\n`)
    read(`---\nallowed-tools: ${text}\n---\n`)
  })
})

describe("the command source", () => {
  it.effect("its rules are in force, deny rules too", () =>
    withFiles({}, ({ context, settings }) => {
      const command = read("---\nallowed-tools: Read\ndisallowed-tools: Edit\n---\n")
      return settings(
        Effect.gen(function*() {
          const policy = yield* policyOf(context)
          assert.deepStrictEqual(policy.rules.map(({ behavior, origin, text }) => [origin.source, behavior, text]), [
            ["command", "allow", "Bash(x)"],
            ["command", "allow", "Read"],
            ["command", "deny", "Edit"]
          ])
        }),
        { commandRules: ["Bash(x)"], ...(command._tag === "Rules" ? { command: command.settings } : {}) }
      )
    }))
})
