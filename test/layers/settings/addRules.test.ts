import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addRules } from "../../../src/layers/settings/addRules.ts"
import { readSettings } from "../../../src/layers/settings/readSettings.ts"

const place = { source: "userSettings", base: "/home/dev/.claude", root: "/home/dev" } as const

const added = (text: string, ...rules: ReadonlyArray<string>): string =>
  Result.getOrThrowWith(addRules(text, rules), (reason) => new Error(reason))

const allows = (text: string): ReadonlyArray<string> =>
  readSettings(text, place).rules.filter(({ behavior }) => behavior === "allow").map(({ text }) => text)

describe("addRules", () => {
  it("an empty file becomes settings", () => {
    assert.deepStrictEqual(JSON.parse(added("", "Read", "Bash(npm test *)")), {
      permissions: { allow: ["Read", "Bash(npm test *)"] }
    })
  })

  it("comments and formatting are kept, and a comment stays with its rule", () => {
    const before = [
      "{",
      "\t// mine",
      "\t\"permissions\": {",
      "\t\t\"allow\": [",
      "\t\t\t\"Read\", // to look",
      "\t\t\t\"Edit\" // to write",
      "\t\t],",
      "\t\t\"deny\": [ ]",
      "\t}",
      "}",
      ""
    ]
    const after = [...before]
    after.splice(5, 1, "\t\t\t\"Edit\", // to write", "\t\t\t\"Bash(npm test *)\"")
    assert.strictEqual(added(before.join("\n"), "Bash(npm test *)"), after.join("\n"))
  })

  it("trailing commas and the ends of lines of Windows are kept", () => {
    const before = "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"Read\",\r\n    ],\r\n  },\r\n}\r\n"
    assert.strictEqual(added(before, "Edit"), before.replace("\"Read\",", "\"Read\",\r\n      \"Edit\","))
  })

  it("a list on one line stays on one line", () => {
    assert.strictEqual(
      added("{\"permissions\": {\"allow\": [\"Read\"]}}", "Edit"),
      "{\"permissions\": {\"allow\": [\"Read\", \"Edit\"]}}"
    )
  })

  it("a list that holds only a comment keeps it", () => {
    const before = "{\n  \"permissions\": {\n    \"allow\": [\n      // none yet\n    ]\n  }\n}\n"
    assert.strictEqual(added(before, "Read"), before.replace("none yet\n", "none yet\n      \"Read\"\n"))
  })

  it("a byte-order mark is kept", () => {
    const after = added("\uFEFF{}", "Read")
    assert.isTrue(after.startsWith("\uFEFF{"))
    assert.deepStrictEqual(allows(after), ["Read"])
  })

  it("what is there is not added again", () => {
    const before = "{ \"permissions\": { \"allow\": [\"Read\"] } }"
    assert.strictEqual(added(before, "Read"), before)
    assert.deepStrictEqual(allows(added(before, "Edit", "Read", "Edit")), ["Read", "Edit"])
  })

  it("null stands for nothing", () => {
    assert.deepStrictEqual(allows(added("{\"permissions\":null}", "Read")), ["Read"])
    assert.deepStrictEqual(allows(added("{\"permissions\":{\"allow\":null}}", "Read")), ["Read"])
  })

  it("a file that can't be understood is refused", () => {
    for (
      const text of [
        "{",
        "[]",
        "{ \"permissions\": [] }",
        "{ \"permissions\": { \"allow\": \"Read\" } }",
        "{ \"permissions\": {}, \"permissions\": {} }",
        "{ \"permissions\": { \"allow\": [], \"allow\": [] } }"
      ]
    ) {
      assert.isTrue(Result.isFailure(addRules(text, ["Read"])), text)
    }
  })

  it.prop(
    "whatever is added is read again, and nothing else is lost",
    { before: Schema.Array(Schema.String), added: Schema.Array(Schema.String) },
    ({ added, before }) => {
      const rules = added.map((text) => `Skill(${text.replace(/[()\\*:]/g, "")}a)`)
      const text = JSON.stringify({ permissions: { deny: before, allow: before } }, null, 2)
      const result = addRules(text, rules)
      assert.isTrue(Result.isSuccess(result))
      if (Result.isFailure(result)) return
      const parsed = JSON.parse(result.success)
      assert.deepStrictEqual(parsed.permissions.deny, before)
      assert.deepStrictEqual(parsed.permissions.allow, [
        ...before,
        ...[...new Set(rules)].filter((rule) => !before.includes(rule))
      ])
    }
  )
})
