import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { PermissionMode } from "../../../src/domain/CallContext.ts"
import type { RuleSource } from "../../../src/domain/Rule.ts"
import { combine, type Source } from "../../../src/layers/settings/combine.ts"
import { readSettings } from "../../../src/layers/settings/readSettings.ts"

const order = ["userSettings", "projectSettings", "localSettings", "flagSettings", "policySettings"] as const

const RuleText = Schema.Literals(["Bash", "Read", "Edit", "WebFetch", "Bash(npm *)"])

const Drawn = Schema.Struct({
  permissions: Schema.Struct({
    allow: Schema.Array(RuleText),
    ask: Schema.Array(RuleText),
    deny: Schema.Array(RuleText),
    defaultMode: Schema.optionalKey(PermissionMode),
    hookAllow: Schema.optionalKey(Schema.Literals(["skips", "yields"])),
    additionalDirectories: Schema.Array(Schema.Literals(["/a", "../b"]))
  }),
  hooks: Schema.Struct({
    PreToolUse: Schema.Array(Schema.Struct({
      hooks: Schema.Tuple([Schema.Struct({ type: Schema.Literal("command"), command: Schema.Literals(["a", "b"]) })])
    }))
  }),
  disableAllHooks: Schema.optionalKey(Schema.Boolean),
  allowManagedPermissionRulesOnly: Schema.optionalKey(Schema.Boolean),
  allowManagedHooksOnly: Schema.optionalKey(Schema.Boolean)
})

const All = Schema.Tuple([Drawn, Drawn, Drawn, Drawn, Drawn])

const sourceOf = (source: RuleSource, settings: typeof Drawn.Type, isBrought = false): Source => ({
  settings: readSettings(JSON.stringify(settings), { source, base: "/repo", root: "/repo" }),
  ...(isBrought ? { brought: { why: "the folder is not trusted", trust: "/repo" } } : {})
})

const policyOf = (sources: ReadonlyArray<Source>) =>
  combine(sources, {
    mode: undefined,
    trusted: true,
    projectRoot: "/repo",
    settingsFiles: [],
    graceMillis: 0,
    resolve: (root, text) => `${root}/${text}`
  })

const looseness = ["dontAsk", "plan", "default", "acceptEdits", "auto", "bypassPermissions"]

describe("combine", () => {
  it.prop("a deny or ask rule of any source counts, whatever anybody else says", { all: All }, ({ all }) => {
    const sources = all.map((settings, index) => sourceOf(order[index] ?? "userSettings", settings, index % 2 === 1))
    const { rules } = policyOf(sources)
    for (const source of sources) {
      for (const rule of source.settings.rules) {
        if (rule.behavior !== "allow") assert.include(rules, rule)
      }
    }
  })

  it.prop("what a repository brings loosens nothing", { all: All }, ({ all: [user, project, local, flag, policy] }) => {
    const before = [sourceOf("userSettings", user)]
    const after = [
      sourceOf("localSettings", local),
      sourceOf("flagSettings", flag),
      sourceOf("policySettings", policy)
    ]
    const without = policyOf([...before, ...after])
    const withIt = policyOf([...before, sourceOf("projectSettings", project, true), ...after])
    const allows = ({ rules }: typeof without) => rules.filter(({ behavior }) => behavior === "allow")
    assert.deepStrictEqual(allows(withIt), allows(without))
    assert.deepStrictEqual(withIt.hooks, without.hooks)
    assert.deepStrictEqual(withIt.directories, without.directories)
    assert.isAtMost(looseness.indexOf(withIt.mode) >> 1, looseness.indexOf(without.mode) >> 1)
    if (without.hookAllow === "yields") assert.strictEqual(withIt.hookAllow, "yields")
  })

  it.prop("managed controls leave nothing but managed settings", { all: All }, ({ all }) => {
    const sources = all.map((settings, index) =>
      sourceOf(order[index] ?? "userSettings", {
        ...settings,
        allowManagedPermissionRulesOnly: true,
        allowManagedHooksOnly: true
      })
    )
    const { hooks, rules } = policyOf(sources)
    for (const hook of hooks) assert.strictEqual(hook.source, "policySettings")
    for (const rule of rules) {
      if (rule.behavior === "allow") assert.strictEqual(rule.origin.source, "policySettings")
    }
  })

  it.prop("a managed hook runs unless managed settings say otherwise", { all: All }, ({ all }) => {
    const sources = all.map((settings, index) => sourceOf(order[index] ?? "userSettings", settings))
    const [, , , , managed] = all
    const expected = managed.disableAllHooks === true ? 0 : managed.hooks.PreToolUse.length
    const { hooks } = policyOf(sources)
    assert.strictEqual(hooks.filter(({ source }) => source === "policySettings").length, expected)
    assert.deepStrictEqual(hooks.map(({ order }) => order), hooks.map((_, index) => index))
  })
})
