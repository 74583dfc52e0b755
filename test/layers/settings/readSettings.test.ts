import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { RuleSource } from "../../../src/domain/Rule.ts"
import { readSettings } from "../../../src/layers/settings/readSettings.ts"

const read = (text: string, source: RuleSource = "userSettings") =>
  readSettings(text, { source, file: "/home/dev/.claude/settings.json", base: "/home/dev/.claude", root: "/home/dev" })

const rules = (text: string, source?: RuleSource) =>
  read(text, source).rules.map(({ behavior, text }) => `${behavior} ${text}`)

const notes = (text: string, source?: RuleSource) =>
  read(text, source).diagnostics.map(({ message, origin, severity }) => `${severity} ${origin.line}: ${message}`)

const permissions = (value: unknown) => JSON.stringify({ permissions: value })

describe("readSettings, the text", () => {
  it("comments, trailing commas and a byte-order mark are fine", () => {
    const text =
      "\uFEFF{ // mine\n  \"permissions\": {\n    /* all */ \"allow\": [\n      \"Read\", // to look\n    ],\n  },\n}"
    const { diagnostics, hides, rules } = read(text)
    assert.deepStrictEqual({ diagnostics, hides }, { diagnostics: [], hides: [] })
    assert.deepStrictEqual(rules[0]?.origin, {
      source: "userSettings",
      file: "/home/dev/.claude/settings.json",
      line: 4,
      column: 7
    })
    assert.strictEqual(rules[0]?.base, "/home/dev/.claude")
  })

  it.each([
    ["a missing comma", "{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3],
    ["a text without quotes", "{\n  \"permissions\": { \"deny\": [Bash] }\n}", 2, 29],
    ["a template", "{\n{{ if .work }}\n}", 2, 1],
    ["a merge conflict", "{\n<<<<<<< HEAD\n}", 2, 1],
    ["a text that goes on", "{ \"a\": \"b\n\" }", 1, 8],
    ["an end too early", "{ \"permissions\": {", 1, 19],
    ["something behind the end", "{}\n{}", 2, 1],
    ["a list", "[]", 1, 1],
    ["nesting without end", "[".repeat(100_000), 1, 201]
  ])("%s hides the file, with its line and column", (_, text, line, column) => {
    const { hides, rules } = read(text)
    assert.deepStrictEqual(rules, [])
    assert.strictEqual(hides.length, 1)
    assert.deepStrictEqual([hides[0]?.origin.line, hides[0]?.origin.column], [line, column])
  })

  it("an empty file says nothing, unless it is a managed one", () => {
    for (const text of ["", " \n", "\uFEFF", "// nothing here\n"]) {
      assert.strictEqual(read(text).hides.length, 0)
      assert.strictEqual(read(text).diagnostics.length, 1)
      assert.strictEqual(read(text, "policySettings").hides.length, 1)
    }
  })

  it("lines are counted whatever ends them", () => {
    assert.strictEqual(read("{\r\n\r\n  \"permissions\": { \"deny\": [1] } }").diagnostics[0]?.origin.line, 3)
    assert.strictEqual(read("{\r\r  \"permissions\": { \"deny\": [1] } }").diagnostics[0]?.origin.line, 3)
  })

  it.prop("any text is read or hidden, and never throws", { text: Schema.String }, ({ text }) => {
    for (const source of ["userSettings", "policySettings"] as const) {
      const settings = read(text, source)
      assert.isTrue(settings.rules.length === 0 || settings.hides.length === 0)
    }
  })

  it.prop(
    "a text that was damaged is read or hidden, and never throws",
    { at: Schema.Int, cut: Schema.Int, inserted: Schema.String },
    ({ at, cut, inserted }) => {
      const whole = JSON.stringify(
        { permissions: { allow: ["Read"], deny: ["Bash(rm *)"] }, hooks: { Stop: [] } },
        null,
        1
      )
      const start = Math.abs(at) % whole.length
      for (const piece of [inserted, ",", "{", "]", "\"", "//", "/*", "\\", "\0"]) {
        const text = whole.slice(0, start) + piece + whole.slice(start + Math.abs(cut) % 9)
        const { hides, rules } = read(text)
        assert.isTrue(
          rules.length === 0 || hides.every(({ origin }) => origin.line !== undefined)
        )
      }
    }
  )

  it.prop("any JSON is read or hidden, and never throws", { value: Schema.Json }, ({ value }) => {
    for (const source of ["userSettings", "projectSettings", "policySettings"] as const) {
      read(JSON.stringify(value), source)
      read(permissions(value), source)
      read(permissions({ allow: value, deny: [value], defaultMode: value, additionalDirectories: value }), source)
      read(JSON.stringify({ hooks: value, disableAllHooks: value, allowManagedHooksOnly: value }), source)
      read(JSON.stringify({ hooks: { PreToolUse: [{ matcher: value, hooks: [value] }] } }), source)
      read(
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: value, command: value, args: value }] }] } }),
        source
      )
    }
  })
})

describe("readSettings, permissions", () => {
  it("one bad entry costs that entry alone, and is an error where it denied", () => {
    const text = "{ \"permissions\": {\n\"deny\": [42,\n\"Bash(rm:*)\"],\n\"allow\": [null, \"Read\"] } }"
    assert.deepStrictEqual(rules(text), ["deny Bash(rm:*)", "allow Read"])
    assert.deepStrictEqual(notes(text), [
      "error 2: a rule is a text, not a number",
      "warning 4: a rule is a text, not null"
    ])
  })

  it("a rule that can't be read is skipped with its line", () => {
    const text = "{ \"permissions\": { \"allow\": [\n\"Bash(\",\n\"Bash(npm test:*)\"] } }"
    assert.include(rules(text), "allow Bash(npm test:*)")
    assert.strictEqual(read(text).diagnostics[0]?.origin.line, 2)
  })

  it("a list of the wrong shape hides what it may have denied", () => {
    for (const value of ["Bash", {}, 1, true]) {
      assert.strictEqual(read(permissions({ deny: value, allow: ["Read"] })).hides.length, 1)
      assert.deepStrictEqual(rules(permissions({ ask: value, allow: ["Read"] })), ["allow Read"])
      assert.strictEqual(read(permissions({ allow: value })).hides.length, 0)
      assert.strictEqual(read(permissions({ allow: value })).diagnostics.length, 1)
    }
    assert.strictEqual(read(permissions([])).hides.length, 1)
  })

  it("null stands for nothing", () => {
    const text = permissions({ allow: null, deny: null, defaultMode: null, additionalDirectories: null })
    assert.deepStrictEqual([read(text).hides, read(text).diagnostics], [[], []])
    assert.deepStrictEqual(read("{\"permissions\":null,\"hooks\":null}").hides, [])
  })

  it("of a name written twice all deny and ask rules count, and the last allow rules", () => {
    assert.deepStrictEqual(rules("{ \"permissions\": { \"deny\": [\"Bash\"], \"deny\": [\"Edit\"] } }"), [
      "deny Bash",
      "deny Edit"
    ])
    const twice =
      "{ \"permissions\": { \"ask\": [\"Bash\"], \"allow\": [\"Edit\"] }, \"permissions\": { \"allow\": [\"Read\"] } }"
    assert.deepStrictEqual(rules(twice), ["ask Bash", "allow Read"])
    assert.deepStrictEqual(rules("{ \"permissions\": { \"allow\": [\"Edit\"], \"allow\": [\"Read\"] } }"), [
      "allow Read"
    ])
    assert.include(notes(twice).join(), "`permissions` is written more than once")
  })

  it("unknown names are noted with what was meant, louder where they would have denied", () => {
    assert.deepStrictEqual(notes(permissions({ dney: ["Bash"], alow: [], _comment: "x" })), [
      "error 1: `permissions` knows no `dney`; `deny` was probably meant",
      "warning 1: `permissions` knows no `alow`; `allow` was probably meant"
    ])
    assert.deepStrictEqual(notes(JSON.stringify({ deny: ["Bash"], model: "x", permisions: {} })), [
      "error 1: `deny` belongs into `permissions`, and is left out here",
      "error 1: `permisions` is not read; `permissions` was probably meant"
    ])
  })

  it("names of a prototype are names like any other", () => {
    const text =
      "{ \"__proto__\": { \"permissions\": 1 }, \"permissions\": { \"deny\": [\"toString\", \"__proto__\", \"Bash\"] } }"
    assert.include(rules(text), "deny Bash")
  })

  it("a rule of 30,000 characters is a rule", () => {
    const rule = `Bash(echo ${"x".repeat(30_000)})`
    assert.deepStrictEqual(rules(permissions({ allow: [rule] })), [`allow ${rule}`])
  })

  it("a rule in several lists counts in each, and is noted", () => {
    const text = permissions({ allow: ["Bash", "Bash"], deny: ["Bash"], ask: ["Bash"] })
    assert.deepStrictEqual(rules(text).toSorted(), ["allow Bash", "ask Bash", "deny Bash"])
    assert.strictEqual(notes(text).filter((note) => note.includes("the deny list, which wins")).length, 2)
  })

  it("an unknown mode is the default one, with a note", () => {
    for (const mode of ["allowEdits", 7]) {
      assert.strictEqual(read(permissions({ defaultMode: mode })).mode?.mode, "default")
    }
    assert.include(notes(permissions({ defaultMode: "allowEdits" })).join(), "`acceptEdits` was probably meant")
    assert.deepStrictEqual(notes(permissions({ defaultMode: "manual" })), [])
    assert.strictEqual(read(permissions({ defaultMode: "plan" })).mode?.mode, "plan")
  })

  it("what disables a mode is honoured when it is spelt wrong", () => {
    for (const value of ["disable", true, "disabled"]) {
      assert.deepStrictEqual(read(permissions({ disableBypassPermissionsMode: value })).disabledModes, [
        "bypassPermissions"
      ])
    }
    assert.deepStrictEqual(read("{ \"disableBypassPermissionsMode\": \"disable\" }").disabledModes, [
      "bypassPermissions"
    ])
    assert.deepStrictEqual(read(permissions({ disableAutoMode: "disable" })).disabledModes, ["auto"])
    assert.deepStrictEqual(read(permissions({ disableBypassPermissionsMode: false })).disabledModes, [])
  })

  it("what a hook's allow means is read strictly", () => {
    assert.strictEqual(read(permissions({ hookAllow: "skips" })).hookAllow, "skips")
    assert.strictEqual(read(permissions({ hookAllow: "yield" })).hookAllow, "yields")
    assert.strictEqual(read(permissions({})).hookAllow, undefined)
  })

  it("controls count in managed settings alone, there even when they are no truth value", () => {
    const text = JSON.stringify({ allowManagedPermissionRulesOnly: "yes", allowManagedHooksOnly: false })
    assert.strictEqual(read(text, "policySettings").managedRulesOnly, true)
    assert.strictEqual(read(text, "policySettings").managedHooksOnly, false)
    assert.strictEqual(read(text).managedRulesOnly, undefined)
    assert.strictEqual(notes(text).length, 2)
    const nested = permissions({ allowManagedPermissionRulesOnly: true })
    assert.strictEqual(read(nested, "policySettings").managedRulesOnly, true)
  })

  it("what would have tightened and is not honoured is an error", () => {
    assert.match(notes(permissions({ blockWritesOutsideWorkingDirectories: true })).join(), /^error/)
  })
})

describe("readSettings, hooks", () => {
  const hooks = (value: unknown) => JSON.stringify({ hooks: value })
  const before = (...entries: ReadonlyArray<unknown>) => hooks({ PreToolUse: [{ matcher: "Bash", hooks: entries }] })

  it("a command hook is read with all it has", () => {
    const hook = {
      type: "command",
      command: "check",
      args: ["--all"],
      timeout: 5,
      if: "Bash(git *)",
      statusMessage: "looking",
      onFailure: "block"
    } as const
    const [found] = read(before(hook)).hooks
    assert.deepStrictEqual(found, { event: "PreToolUse", matcher: "Bash", hook, line: 1, column: found?.column ?? 0 })
    assert.deepStrictEqual(notes(before(hook)), [])
  })

  it("an unknown event costs its hooks alone", () => {
    const text = hooks({
      PreToolUs: [{ hooks: [{ type: "command", command: "a" }] }],
      Stop: [{ hooks: [{ type: "command", command: "b" }] }],
      PostToolUse: [{ hooks: [{ type: "command", command: "c" }] }]
    })
    assert.deepStrictEqual(read(text).hooks.map(({ event }) => event), ["PostToolUse"])
    assert.deepStrictEqual(notes(text), [
      "error 1: there is no hook event `PreToolUs`, so that its hooks never run; `PreToolUse` was probably meant"
    ])
  })

  it("a hook of a kind that is not run is kept where it may have kept a tool from running", () => {
    for (const type of ["agent", "mcp_tool"]) {
      const text = before({ type, if: "Bash(git *)", onFailure: "continue" })
      assert.deepStrictEqual(read(text).hooks[0]?.hook as unknown, { type, if: "Bash(git *)", onFailure: "continue" })
      assert.strictEqual(notes(text).length, 1)
    }
    assert.strictEqual(read(before({ type: "webhook" })).hooks[0]?.hook.type, "unknown")
    const after = hooks({ PostToolUse: [{ hooks: [{ type: "agent", prompt: "x" }] }] })
    assert.deepStrictEqual(read(after).hooks, [])
    assert.strictEqual(notes(after).length, 1)
  })

  it("hooks over HTTP, of prompts, and what all kinds share are read with all they have", () => {
    const shared = { if: "Bash(git *)", timeout: 3, statusMessage: "checking", once: true, onFailure: "block" }
    for (
      const hook of [
        { type: "http", url: "https://gate.test/h", headers: { "x-key": "$KEY" }, allowedEnvVars: ["KEY"], ...shared },
        { type: "prompt", prompt: "is $ARGUMENTS ok?", model: "small", continueOnBlock: true, ...shared },
        { type: "command", command: "a", async: true, ...shared }
      ]
    ) {
      assert.deepStrictEqual(read(before(hook)).hooks[0]?.hook as unknown, hook)
      assert.deepStrictEqual(notes(before(hook)), [])
    }
    assert.deepStrictEqual(
      read(before({ type: "command", command: "a", asyncRewake: true, once: false })).hooks[0]?.hook as unknown,
      { type: "command", command: "a", async: true }
    )
  })

  it("a gate that lacks what it asks is still a gate", () => {
    const kinds = [
      { type: "http" },
      { type: "prompt" },
      { type: "command" },
      { type: "command", command: ["sh", "-c", "exit 2"] },
      { type: "command", command: " " }
    ]
    for (const kind of kinds) {
      const text = before({ ...kind, onFailure: "block" })
      const { problem, ...hook } = (read(text).hooks[0]?.hook ?? {}) as { readonly problem?: string }
      assert.deepStrictEqual(hook as unknown, { type: "unknown", onFailure: "block" })
      assert.match(String(problem), /^a hook of type `(?:http|prompt|command)` needs a text/)
      assert.match(notes(text).join(), /^error.*are denied/)
    }
  })

  it("values of the wrong type cost themselves", () => {
    const text = before({
      type: "http",
      url: "http://a",
      headers: { a: 1, b: "c" },
      allowedEnvVars: "KEY",
      once: "yes",
      async: 1
    })
    assert.deepStrictEqual(read(text).hooks[0]?.hook as unknown, { type: "http", url: "http://a", headers: { b: "c" } })
    assert.strictEqual(notes(text).length, 3)
  })

  it("whatever has the wrong shape before a tool holds back what it could have been about", () => {
    const wrong = ["echo", "", 1, true, {}, { type: "command", command: "a" }]
    const noHook = [...wrong.slice(0, 4), null, [], ["echo"]]
    const noGroup = [...noHook, {}, { type: "command", command: "a" }]
    const inGroup = [
      { matcher: "Bash" },
      ...[...wrong, null].map((hooks) => ({ matcher: "Bash", hooks })),
      ...[...noHook, {}].map((hook) => ({ matcher: "Bash", hooks: [hook] }))
    ]
    for (
      const [value, matcher] of [
        ...wrong.map((value) => [value, ""] as const),
        ...noGroup.map((group) => [[group], ""] as const),
        ...inGroup.map((group) => [[group], "Bash"] as const)
      ]
    ) {
      const text = hooks({ PreToolUse: value, PostToolUse: [{ hooks: [{ type: "command", command: "c" }] }] })
      const [found, after, ...more] = read(text).hooks
      assert.deepStrictEqual([found?.event, found?.matcher, found?.hook.type], ["PreToolUse", matcher, "unknown"], text)
      assert.deepStrictEqual([after?.event, more.length], ["PostToolUse", 0], text)
      assert.isDefined(found?.line, text)
      assert.match(notes(text).join(), /calls it matches ask/, text)
    }
  })

  it("a hook that stands where a list of them belongs says itself what it is about", () => {
    const text = hooks({
      PreToolUse: [{ matcher: "Bash", type: "command", command: "a", if: "Bash(git *)", onFailure: "block" }]
    })
    const [{ hook, matcher } = {}] = read(text).hooks
    assert.strictEqual(matcher, "Bash")
    assert.deepInclude(hook, { type: "unknown", if: "Bash(git *)", onFailure: "block" })
  })

  it("entries of the wrong shape after a tool are noted and cost themselves", () => {
    for (const value of ["echo", ["echo"], [{ matcher: "Bash" }], [{ hooks: "echo" }], [{ hooks: ["echo"] }]]) {
      const text = hooks({ PostToolUse: value, PreToolUse: [{ hooks: [{ type: "command", command: "c" }] }] })
      assert.deepStrictEqual(read(text).hooks.map(({ event }) => event), ["PreToolUse"])
      assert.match(notes(text).join(), /^warning/)
    }
  })

  it("hooks that are no object hide what they may have kept from running", () => {
    assert.strictEqual(read(hooks([])).hides.length, 1)
  })

  it("a matcher that is no text matches every tool", () => {
    const text = hooks({ PreToolUse: [{ matcher: 1, hooks: [{ type: "command", command: "a" }] }] })
    assert.strictEqual(read(text).hooks[0]?.matcher, "")
    assert.strictEqual(notes(text).length, 1)
  })

  it("fields that can't be read are left out with a note", () => {
    const text = before({ type: "command", command: "a", timeout: -1, onFailure: "deny", args: "x" })
    assert.deepStrictEqual(read(text).hooks[0]?.hook, { type: "command", command: "a" })
    assert.strictEqual(notes(text).length, 3)
  })
})
